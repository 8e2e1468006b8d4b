import { existsSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { createTestDatabase } from '@papermoon/db/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDataDir } from '../support/data-folder.ts'
import { readAddress, type ServerProcess, startServer } from '../support/server-process.ts'
import { createTestServer } from '../support/test-server.ts'

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

// Each starts servers and databases of its own, on a machine with other work, too.
describe('the server', { timeout: 180_000 }, () => {
  it('serves as soon as it prints its address', async () => {
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
  })

  it('refuses a data folder in use with one sentence, and leaves the first alone', async () => {
    const { code, stdout, stderr } = await startServer({ DATA_DIR: data.path, SHOW_RESET_CODES: 'on' }).ended
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^Papermoon already runs on the data folder [^\n]+\.\n$/)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
  })

  it('warns of shown reset codes and of missing limits', async () => {
    const other = createDataDir()
    const nowhere = { DATA_DIR: other.path, DATABASE_URL: 'postgres://127.0.0.1:1/x' }
    const settings = { ...nowhere, SHOW_RESET_CODES: 'on', RATE_LIMIT: 'off' }
    const { stderr } = await startServer(settings).ended
    const records = stderr
      .trim()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
    expect(records).toMatchObject([
      { level: 40, msg: expect.stringMatching(/^RATE_LIMIT=off/) },
      { level: 40, msg: expect.stringMatching(/^SHOW_RESET_CODES=on: anyone who asks/) },
    ])
    const mailing = await startServer({ ...settings, SMTP_URL: 'smtp://127.0.0.1:1' }).ended
    expect(mailing.stderr).not.toContain('SHOW_RESET_CODES')
    other.remove()
  })

  it('without METRICS_TOKEN has the metrics on a loopback port of their own', async () => {
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

  it('refuses a port in use with one sentence, and stops the database it started', async () => {
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

  it('refuses wrong settings by name, without a stack', async () => {
    const { code, stderr } = await startServer({ PORT: 'x', TRUST_PROXY: 'everybody' }).ended
    expect(code).toBe(1)
    expect(stderr).toContain('PORT must be a port number')
    expect(stderr).toContain('TRUST_PROXY must be')
    expect(stderr).not.toContain('at ')
  })

  it('refuses a database that it cannot reach, and ends', async () => {
    const other = createDataDir()
    const { code, stderr } = await startServer({ DATA_DIR: other.path, DATABASE_URL: 'postgres://127.0.0.1:1/x' }).ended
    expect(code).toBe(1)
    expect(stderr).toMatch(/^The database of DATABASE_URL cannot be used: [^\n]*ECONNREFUSED[^\n]*\.\n$/)
    other.remove()
  })
})

describe('closing', () => {
  it('does not wait for a client that never ends its request', async () => {
    const server = await createTestServer()
    const slow = createConnection(await server.listen(), '127.0.0.1')
    slow.write(
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{',
    )
    slow.on('error', () => {})
    await expect
      .poll(() => new Promise((resolve) => server.fastify.server.getConnections((_error, count) => resolve(count))))
      .toBe(1)
    const cut = new Promise((resolve) => slow.once('close', resolve))
    await server.close()
    await cut
  })

  it('answers every order under way, and every trade it answered is stored', async () => {
    const server = await createTestServer()
    const players = await Promise.all(Array.from({ length: 10 }, () => server.player()))
    const tokenId = await players[0]?.launch()
    const orders = players.flatMap((player) =>
      Array.from({ length: 5 }, () => player.post('/api/tokens/buy', { tokenId, solAmount: '0.1' })),
    )
    await Promise.race(orders)
    const [answers] = await Promise.all([Promise.all(orders), server.fastify.close()])
    const done = answers.filter((answer) => answer.statusCode === 200).length
    expect(answers.filter((answer) => ![200, 503].includes(answer.statusCode))).toEqual([])
    expect(done).toBeGreaterThan(0)
    expect(await server.db.selectFrom('trades').select('id').execute()).toHaveLength(done)
    await server.database.drop()
  })
})
