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
    const name = '@pnpm/exe.linux-x64@1.2.3'
    expect(findBinary('pnpm@1.2.3', lockfile, 'linux-x64')).toEqual({ name, hash: 'abc==' })
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
  const env = { ...process.env, npm_config_cache: join(folder, 'cache') }
  /** By the name of its package. */
  const files = {}
  const server = createServer((request, reply) => {
    const [, name, file] = request.url.split('/')
    if (!(name in files)) return reply.writeHead(404).end('{}')
    if (file !== undefined) return reply.end(files[name])
    const dist = { tarball: `${env.npm_config_registry}${name}/pnpm.tgz`, integrity: `sha512-${hashOf(name)}` }
    reply.end(JSON.stringify({ name, versions: { '1.2.3': { name, version: '1.2.3', dist } } }))
  })
  const hashOf = (name) => createHash('sha512').update(files[name]).digest('base64')

  function pack(name, program) {
    mkdirSync(join(folder, 'package'), { recursive: true })
    writeFileSync(join(folder, 'package', 'pnpm'), program, { mode: 0o755 })
    writeFileSync(join(folder, 'package', 'package.json'), JSON.stringify({ name, version: '1.2.3' }))
    execFileSync('tar', ['-czf', 'pnpm.tgz', 'package'], { cwd: folder })
    files[name] = readFileSync(join(folder, 'pnpm.tgz'))
  }

  beforeAll(async () => {
    pack('good', '#!/bin/sh\necho 1.2.3\n')
    pack('foreign', '#!/nowhere/musl\n')
    await once(server.listen(0, '127.0.0.1'), 'listening')
    env.npm_config_registry = `http://127.0.0.1:${server.address().port}/`
  })

  afterAll(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })

  const fetchNamed = (name, hash = hashOf(name)) => fetchPnpm({ name: `${name}@1.2.3`, hash }, env)
  const listLeft = () => readdirSync(tmpdir()).filter((name) => name.startsWith('papermoon-pnpm-'))

  it('gives a program that runs, until it is removed', async () => {
    const { command, args, remove } = await fetchNamed('good')
    expect(args).toEqual([])
    expect(execFileSync(command, { encoding: 'utf8' })).toBe('1.2.3\n')
    remove()
    expect(existsSync(command)).toBe(false)
  })

  it('leaves it to npx where the program does not run here, and leaves nothing behind', async () => {
    const before = listLeft()
    expect(await fetchNamed('foreign')).toBe(null)
    expect(listLeft()).toEqual(before)
  })

  it.each([
    [
      'has other bytes than the lockfile names',
      'good',
      'The registry gives another good@1.2.3 than pnpm-lock.yaml names.',
    ],
    ['is missing, since npx would take any other', 'missing', 'E404'],
  ])('stops where the file %s, and leaves nothing behind', async (_, name, message) => {
    const before = listLeft()
    await expect(fetchNamed(name, 'abc==')).rejects.toThrow(message)
    expect(listLeft()).toEqual(before)
  })
})
