import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createTestDatabase } from '@papermoon/db/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type RestPlayer, registerPlayer, type TradeAnswer } from '../chaos/support/rest-player.ts'
import { createDataDir } from '../support/data-folder.ts'
import { aPng } from '../support/pictures.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'

const PROCESSES = 3
const PLACES = Array.from({ length: PROCESSES }, (_, index) => String(index + 1))
const data = createDataDir()
let server: ServerProcess
let url: string
let player: RestPlayer
let tokenId: number
beforeAll(async () => {
  server = startServer({ DATA_DIR: data.path, PROCESSES: String(PROCESSES), RATE_LIMIT: 'off', DRAIN_SECONDS: '300' })
  url = /^Papermoon is at (http:\/\/localhost:\d+)\n$/.exec(await server.ready)?.[1] ?? 'no address'
  player = await registerPlayer(url)
  tokenId = await player.launch('Shared')
})
afterAll(async () => {
  // Twice: the second one ends a wait for balancers.
  server.child.kill('SIGTERM')
  server.child.kill('SIGINT')
  await server.ended
  data.remove()
})

interface Asked {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Asks over a connection of its own: the next one goes to the other process. */
async function ask(
  method: string,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Asked> {
  const sent = request(`${url}${path}`, {
    method,
    agent: false,
    headers: {
      cookie: player.cookie,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
  })
  sent.end(Buffer.isBuffer(body) ? body : body === undefined ? undefined : JSON.stringify(body))
  const [response] = await once(sent, 'response')
  return { status: response.statusCode, headers: response.headers, body: await text(response) }
}

/** The value of a metric by process. */
async function readMetric(name: string): Promise<Record<string, number>> {
  const { body } = await ask('GET', '/metrics')
  const lines = [...body.matchAll(new RegExp(`^${name}\\{process="(\\d+)"\\} (\\S+)$`, 'gm'))]
  return Object.fromEntries(lines.map(([, process = '', value]) => [process, Number(value)]))
}

/** The pids of the processes that serve, by place. */
function listWorkers(): Record<string, number> {
  const { pid = 0 } = server.child
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  return Object.fromEntries(
    children.flatMap((child) => {
      const [, place] = /--process=(\d+)/.exec(readFileSync(`/proc/${child}/cmdline`, 'utf8')) ?? []
      return place === undefined ? [] : [[place, Number(child)]]
    }),
  )
}

async function buy(): Promise<Asked & { readonly trade: TradeAnswer['trade'] }> {
  const headers = { 'idempotency-key': randomUUID() }
  const answer = await ask('POST', '/api/tokens/buy', { body: { tokenId, solAmount: '0.01' }, headers })
  expect(answer.status, answer.body).toBe(200)
  return { ...answer, trade: (JSON.parse(answer.body) as TradeAnswer).trade }
}

describe('several processes of one server', () => {
  it('share a port and a database, and one of them leads the engine', async () => {
    expect(Object.keys(listWorkers())).toEqual(PLACES)
    const readAll = async (name: string) => Object.values(await readMetric(name)).sort()
    await expect.poll(() => readAll('papermoon_engine_is_leading')).toEqual([0, 0, 1])
    await expect.poll(() => readAll('papermoon_engine_is_linked')).toEqual([0, 1, 1])
  })

  it('let a player read at each of them what they ordered at any', async () => {
    for (let turn = 0; turn < 20; turn++) {
      const { trade, headers } = await buy()
      const seen = String(headers['papermoon-seen'])
      for (let reader = 0; reader < PROCESSES; reader++) {
        const { body } = await ask('GET', `/api/tokens/${tokenId}`, { headers: { 'papermoon-seen': seen } })
        expect(JSON.parse(body).seq).toBeGreaterThanOrEqual(trade.seq)
      }
    }
    const forwarded = await readMetric('papermoon_orders_forwarded_total')
    expect(Math.max(...Object.values(forwarded))).toBeGreaterThan(0)
  })

  it('show a trade on the live sockets of each of them', async () => {
    const sockets = Array.from({ length: PROCESSES }, () => new WebSocket(`${url.replace('http', 'ws')}/ws`))
    await Promise.all(sockets.map((socket) => once(socket, 'open')))
    const open = Object.values(await readMetric('papermoon_sockets'))
    expect(open).toEqual(PLACES.map(() => 1))
    const shown = Promise.all(sockets.map(async (socket) => JSON.parse(String((await once(socket, 'message'))[0]))))
    const { trade } = await buy()
    for (const event of await shown) expect(event).toMatchObject({ type: 'trade', trade: { id: trade.id } })
    for (const socket of sockets) socket.terminate()
  })

  it('serve a picture that was uploaded through any of them', async () => {
    const { uploadURL } = JSON.parse((await ask('POST', '/api/objects/upload', { body: {} })).body)
    const { pathname, search } = new URL(uploadURL)
    const headers = { 'content-type': 'image/png' }
    expect((await ask('PUT', `${pathname}${search}`, { body: await aPng(), headers })).status).toBe(200)
    const taken = await ask('PUT', '/api/users/profile-picture', { body: { profilePictureUrl: uploadURL } })
    expect(taken.status, taken.body).toBe(200)
    const { profilePictureUrl } = JSON.parse((await ask('GET', '/api/auth/user')).body)
    for (let reader = 0; reader < PROCESSES; reader++) {
      expect((await ask('GET', profilePictureUrl)).status).toBe(200)
    }
  })

  it('serve on while one is killed, which is started again on the same port', async () => {
    const before = listWorkers()
    process.kill(before[2] ?? 0, 'SIGKILL')
    await expect.poll(() => listWorkers()[2] ?? before[2]).not.toBe(before[2])
    await expect.poll(async () => Object.keys(await readMetric('papermoon_sockets'))).toEqual(PLACES)
    for (const place of ['1', '3']) expect(listWorkers()[place]).toBe(before[place])
    for (let turn = 0; turn < 2 * PROCESSES; turn++) await buy()
  })

  it('tell balancers that all of them will stop, serve on, and end together', async () => {
    const workers = Object.values(listWorkers())
    server.child.kill('SIGTERM')
    const readReadiness = async () => {
      const statuses: unknown[] = []
      for (const _ of PLACES) statuses.push((await ask('GET', '/readyz')).status)
      return statuses
    }
    await expect.poll(readReadiness).toEqual(PLACES.map(() => 503))
    await buy()
    server.child.kill('SIGINT')
    const { code, stdout } = await server.ended
    expect([code, stdout]).toEqual([0, `Papermoon is at ${url}\n`])
    expect(workers.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([])
    expect(existsSync(join(data.path, 'postgres/data/postmaster.pid'))).toBe(false)
  })
})

describe('several processes that cannot start', () => {
  it('say once that their port is in use', async () => {
    const taken = createServer()
    taken.listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const port = String((taken.address() as AddressInfo).port)
    const database = await createTestDatabase({ poolMax: 1 })
    const other = createDataDir()
    const settings = { DATABASE_URL: database.connectionString, DATA_DIR: other.path, PROCESSES: '2', PORT: port }
    const ended = await startServer({ ...settings, LOG_LEVEL: 'fatal' }).ended
    expect(ended).toEqual({ code: 1, stdout: '', stderr: `Port ${port} is already in use; set another PORT.\n` })
    taken.close()
    other.remove()
    await database.drop()
  })
})
