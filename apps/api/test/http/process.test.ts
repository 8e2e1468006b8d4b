// @module-tag nightly
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { createTestDatabase } from '@papermoon/db/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDataDir } from '../support/data-folder.ts'
import { readAddress, type ServerProcess, startServer } from '../support/server-process.ts'

const data = createDataDir()
let running: ServerProcess
let url: string
beforeAll(async () => {
  running = startServer({ DATA_DIR: data.path })
  url = readAddress(await running.ready)
})
afterAll(async () => {
  running.child.kill('SIGTERM')
  await running.ended
  data.remove()
})

// Each test starts its own servers and databases, and the machine may be busy.
describe('the server', { timeout: 180_000 }, () => {
  it('serves as soon as it prints its address', async () => {
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
  })

  it('rejects a data folder in use with one sentence, and does not disturb the first server', async () => {
    const { code, stdout, stderr } = await startServer({ DATA_DIR: data.path, SHOW_RESET_CODES: 'on' }).ended
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^Papermoon already runs on the data folder [^\n]+\.\n$/)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
  })

  it('serves the metrics on its own loopback port if METRICS_TOKEN is not set', async () => {
    const [other, database] = [createDataDir(), await createTestDatabase()]
    const place = { DATA_DIR: other.path, DATABASE_URL: database.connectionString }
    const server = startServer({ ...place, METRICS_TOKEN: '', LOG_LEVEL: 'info' })
    const log = createInterface({ input: server.child.stderr as Readable })
    const told = (async () => {
      for await (const line of log) if (line.includes('metrics, for')) return String(JSON.parse(line).address)
      return 'no address'
    })()
    expect((await fetch(`${readAddress(await server.ready)}/metrics`)).status).toBe(404)
    const address = await told
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
    expect(await (await fetch(address)).text()).toContain('papermoon_http_request_duration_seconds')
    server.child.kill('SIGTERM')
    expect((await server.ended).code).toBe(0)
    await database.drop()
    other.remove()
  })

  it('rejects a port in use with one sentence, and stops the database that it started', async () => {
    const taken = createServer()
    const port = await new Promise<number>((resolve) => {
      taken.listen(0, '127.0.0.1', () => resolve(Object(taken.address()).port))
    })
    const other = createDataDir()
    const { code, stdout, stderr } = await startServer({ DATA_DIR: other.path, PORT: String(port) }).ended
    expect([code, stdout, stderr]).toEqual([1, '', `Port ${port} is already in use; set another PORT.\n`])
    expect(existsSync(join(other.path, 'postgres/data/postmaster.pid'))).toBe(false)
    taken.close()
    other.remove()
  })

  it('warns of unsafe settings, then prints that the database cannot be reached, and exits', async () => {
    const other = createDataDir()
    const settings = { DATA_DIR: other.path, DATABASE_URL: 'postgres://127.0.0.1:1/x', RATE_LIMIT: 'off' }
    const { code, stderr } = await startServer(settings).ended
    const [warning = '', ...refusal] = stderr.split(/(?<=\n)/)
    expect([code, JSON.parse(warning)]).toMatchObject([1, { level: 40, msg: expect.stringMatching(/^RATE_LIMIT=off/) }])
    expect(refusal.join('')).toMatch(/^The database of DATABASE_URL cannot be used: [^\n]*ECONNREFUSED[^\n]*\.\n$/)
    other.remove()
  })
})
