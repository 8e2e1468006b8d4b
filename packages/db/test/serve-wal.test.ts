import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serveWal, type WalServer } from '../src/backup/serve-wal.ts'

let folder: string
let server: WalServer
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'papermoon-wal-'))
  const read = async (name: string) => Buffer.from(`segment ${name}`)
  server = serveWal(join(folder, 'wal'), undefined, { names: ['a', 'b'], missing: null, read })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

/** What PostgreSQL runs for a segment. */
const toShell = (name: string) => ['-c', server.command.replaceAll('%f', name).replaceAll('%p', join(folder, name))]
const readSegment = (name: string) => readFileSync(join(folder, name), 'utf8')

it('hands out a segment that was fetched ahead, twice in a row', async () => {
  await promisify(execFile)('sh', toShell('a'))
  expect(readSegment('a')).toBe('segment a')
  await expect.poll(() => existsSync(join(folder, 'wal', 'b.ready'))).toBe(true)
  // Blocks this process: the segment is taken before its request is seen.
  execFileSync('sh', toShell('b'))
  rmSync(join(folder, 'b'))
  await promisify(execFile)('sh', toShell('b'))
  expect(readSegment('b')).toBe('segment b')
})

it('says that there is no segment', async () => {
  await expect(promisify(execFile)('sh', toShell('c'))).rejects.toMatchObject({ code: 1 })
})
