import { existsSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDataDir } from '../support/data-folder.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { createTestServer, registration } from '../support/test-server.ts'

const data = createDataDir()
let running: ServerProcess
let url: string
beforeAll(async () => {
  running = startServer({ DATA_DIR: data.path })
  url = addressIn(await running.ready)
})
afterAll(async () => {
  running.child.kill('SIGTERM')
  await running.ended
  data.remove()
})

function addressIn(line: string): string {
  return /^Papermoon is at (http:\/\/localhost:\d+)\n$/.exec(line)?.[1] ?? `no address in ${line}`
}

async function post(path: string, body: unknown): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  return (await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status
}

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
    const other = createDataDir()
    const server = startServer({ DATA_DIR: other.path, METRICS_TOKEN: '', LOG_LEVEL: 'info' })
    const log = createInterface({ input: server.child.stderr as Readable })
    const told = (async () => {
      for await (const line of log) if (line.includes('metrics, for')) return String(JSON.parse(line).address)
      return 'no address'
    })()
    expect((await fetch(`${addressIn(await server.ready)}/metrics`)).status).toBe(404)
    const address = await told
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
    expect(await (await fetch(address)).text()).toContain('papermoon_http_request_duration_seconds')
    server.child.kill('SIGTERM')
    expect((await server.ended).code).toBe(0)
    other.remove()
  })

  it('writes no reset code where its output is no terminal', async () => {
    await post('/api/auth/register', registration('forgetful'))
    const { email } = registration('forgetful')
    const headers = { 'content-type': 'application/json' }
    const sent = { method: 'POST', headers, body: JSON.stringify({ email }) }
    const answer = await fetch(`${url}/api/auth/forgot-password`, sent)
    expect(await answer.json()).toEqual({ message: expect.stringContaining('npm run admin -- reset-code') })
    running.child.kill('SIGTERM')
    const { stdout, stderr } = await running.ended
    expect(stdout).toBe(`Papermoon is at ${url}\n`)
    expect(stderr).not.toMatch(/reset code|forgetful/)
    running = startServer({ DATA_DIR: data.path })
    url = addressIn(await running.ready)
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

  it('stops cleanly, however many signals it gets, and finds its data again', async () => {
    expect(await post('/api/auth/register', registration('returner'))).toBe(201)
    for (const signal of ['SIGINT', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const) running.child.kill(signal)
    const { code, stderr } = await running.ended
    expect([code, stderr]).toEqual([0, ''])
    expect(existsSync(join(data.path, 'postgres/data/postmaster.pid'))).toBe(false)
    running = startServer({ DATA_DIR: data.path })
    url = addressIn(await running.ready)
    const { email, password } = registration('returner')
    expect(await post('/api/auth/login', { email, password })).toBe(200)
  })

  it('leaves nothing half-made when stopped during its first start', async () => {
    const other = createDataDir()
    const early = startServer({ DATA_DIR: other.path })
    await expect.poll(() => existsSync(join(other.path, 'postgres')), { timeout: 60_000 }).toBe(true)
    early.child.kill('SIGTERM')
    const { code, stdout, stderr } = await early.ended
    expect([code, stdout, stderr]).toEqual([0, '', ''])
    expect(existsSync(join(other.path, 'postgres/data/postmaster.pid'))).toBe(false)
    const again = startServer({ DATA_DIR: other.path })
    expect(addressIn(await again.ready)).toContain('http://localhost:')
    again.child.kill('SIGTERM')
    expect((await again.ended).code).toBe(0)
    other.remove()
  })

  it('that waits for its pages serves once they are built, and ends when they cannot be', async () => {
    const other = createDataDir()
    const built = startServer({ DATA_DIR: other.path }, ['--after-build'])
    built.child.send('built')
    expect(addressIn(await built.ready)).toContain('http://localhost:')
    built.child.kill('SIGTERM')
    expect((await built.ended).code).toBe(0)
    const broken = startServer({ DATA_DIR: other.path }, ['--after-build'])
    broken.child.send('not built')
    expect(await broken.ended).toEqual({ code: 1, stdout: '', stderr: '' })
    const stopped = startServer({ DATA_DIR: other.path }, ['--after-build'])
    await expect
      .poll(() => existsSync(join(other.path, 'postgres/data/postmaster.pid')), { timeout: 60_000 })
      .toBe(true)
    stopped.child.kill('SIGTERM')
    expect(await stopped.ended).toEqual({ code: 0, stdout: '', stderr: '' })
    other.remove()
  })

  it('ends when its parent process is gone', async () => {
    running.child.disconnect()
    expect((await running.ended).code).toBe(0)
    running = startServer({ DATA_DIR: data.path })
    url = addressIn(await running.ready)
  })

  it('comes back after it was killed', async () => {
    expect(await post('/api/auth/register', registration('survivor'))).toBe(201)
    running.child.kill('SIGKILL')
    await running.ended
    running = startServer({ DATA_DIR: data.path })
    url = addressIn(await running.ready)
    const { email, password } = registration('survivor')
    expect(await post('/api/auth/login', { email, password })).toBe(200)
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
