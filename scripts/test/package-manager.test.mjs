import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fetchPnpm, findBinary } from '../lib/package-manager.mjs'
import { readJson, root } from '../lib/project.mjs'

const lockfile = `packages:

  '@pnpm/exe.linux-x64@1.2.3':
    resolution: {integrity: sha512-abc==}
    cpu: [x64]
`

describe('the binary of pnpm', () => {
  it('is the one that the lockfile has for the version of package.json', () => {
    const path = '@pnpm/exe.linux-x64/-/exe.linux-x64-1.2.3.tgz'
    expect(findBinary('pnpm@1.2.3', lockfile, 'linux-x64')).toEqual({ path, hash: 'abc==', version: '1.2.3' })
    expect(findBinary('pnpm@1.2.4', lockfile, 'linux-x64')).toBe(null)
    expect(findBinary('pnpm@1.2.3', lockfile, 'win32-x64')).toBe(null)
  })

  it('is in this lockfile, so that a cold start need not wait for npx', () => {
    const { packageManager } = readJson(join(root, 'package.json'))
    const own = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8')
    for (const machine of ['linux-x64', 'linux-arm64']) {
      expect(findBinary(packageManager, own, machine)?.hash).toMatch(/^[\w+/]{86}==$/)
    }
  })
})

describe('fetching it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'papermoon-registry-'))
  const server = createServer((request, reply) => {
    if (request.url === '/pnpm.tgz') return reply.end(packed)
    reply.writeHead(404).end('nothing')
  })
  let packed
  let registry

  beforeAll(async () => {
    mkdirSync(join(folder, 'package'))
    writeFileSync(join(folder, 'package', 'pnpm'), '#!/bin/sh\necho 1.2.3\n', { mode: 0o755 })
    execFileSync('tar', ['-czf', 'pnpm.tgz', 'package'], { cwd: folder })
    packed = readFileSync(join(folder, 'pnpm.tgz'))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    registry = `http://127.0.0.1:${server.address().port}/`
  })

  afterAll(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })

  const wanted = () => ({
    path: 'pnpm.tgz',
    hash: createHash('sha512').update(packed).digest('base64'),
    version: '1.2.3',
  })

  it('gives a program that runs, until it is removed', async () => {
    const { command, args, remove } = await fetchPnpm(wanted(), registry)
    expect(args).toEqual([])
    expect(execFileSync(command, { encoding: 'utf8' })).toBe('1.2.3\n')
    remove()
    expect(existsSync(command)).toBe(false)
  })

  it.each([
    ['is missing', { path: 'other.tgz' }],
    ['is another version', { version: '1.2.4' }],
  ])('leaves it to npx where the file %s, and leaves nothing behind', async (_, difference) => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('papermoon-pnpm-'))
    expect(await fetchPnpm({ ...wanted(), ...difference }, registry)).toBe(null)
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('papermoon-pnpm-'))).toEqual(before)
  })

  it('stops where the file has other bytes than the lockfile names, and leaves nothing behind', async () => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('papermoon-pnpm-'))
    await expect(fetchPnpm({ ...wanted(), hash: 'abc==' }, registry)).rejects.toThrow(
      'The registry gives another pnpm.tgz than pnpm-lock.yaml names. Nothing was installed.',
    )
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('papermoon-pnpm-'))).toEqual(before)
  })

  it('leaves it to npx where nobody answers', async () => {
    expect(await fetchPnpm(wanted(), 'http://127.0.0.1:1/')).toBe(null)
  })
})
