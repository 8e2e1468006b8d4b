import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { createTestDatabase } from '@papermoon/db/testing'
import { expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { type RestPlayer, registerPlayer, type TradeAnswer } from '../chaos/support/rest-player.ts'
import { createDataDir } from '../support/data-folder.ts'
import { startServer } from '../support/server-process.ts'

/** Starts a server that drains for a second, and returns it with a player and a token. */
async function startDraining() {
  const database = await createTestDatabase({ poolMax: 2 })
  const data = createDataDir()
  const server = startServer({
    DATABASE_URL: database.connectionString,
    DATA_DIR: data.path,
    RATE_LIMIT: 'off',
    DRAIN_SECONDS: '1',
    LOG_LEVEL: 'info',
  })
  onTestFinished(async () => {
    server.child.kill('SIGKILL')
    await server.ended
    data.remove()
    await database.drop()
  })
  const port = Number(/:(\d+)\n$/.exec(await server.ready)?.[1])
  const url = `http://127.0.0.1:${port}`
  const player = await registerPlayer(url)
  return { server, port, url, player, tokenId: await player.launch('Drained'), database }
}

/** Sends the head of an order without its body. Resolves once the server waits for the body. */
async function sendHalfAnOrder(port: number, { cookie }: RestPlayer): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  const head = ['POST /api/tokens/buy HTTP/1.1', 'host: localhost', `cookie: ${cookie}`, 'expect: 100-continue']
  socket.write([...head, 'content-type: application/json', 'content-length: 40', '', '{'].join('\r\n'))
  expect(String((await once(socket, 'data'))[0])).toContain('100 Continue')
  return socket
}

/** Places one order after another until the server rejects one. Returns the acknowledged trades. */
async function orderOn(url: string, { cookie }: RestPlayer, tokenId: number, isFirst: () => void): Promise<number[]> {
  const trades: number[] = []
  for (;;) {
    const answer = await fetch(`${url}/api/tokens/buy`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify({ tokenId, solAmount: '0.001' }),
    }).catch(() => null)
    if (answer?.status !== 200) return trades
    const body = await answer.json().catch(() => null)
    if (body === null) return trades
    trades.push((body as TradeAnswer).trade.id)
    isFirst()
  }
}

it('stops when the drain is over, logs what was still open, and has every order that it acknowledged', async () => {
  const { server, port, url, player, tokenId, database } = await startDraining()
  const stream = get(`${url}/api/events`)
  stream.on('error', () => {})
  const [events] = await once(stream, 'response')
  events.on('error', () => {})
  events.resume()
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`)
  await once(socket, 'open')
  const half = await sendHalfAnOrder(port, player)
  const begun = Promise.withResolvers<void>()
  const ordering = orderOn(url, player, tokenId, begun.resolve)
  await begun.promise
  const gone = [once(events, 'close'), once(socket, 'close'), once(half, 'close')]
  server.child.kill('SIGTERM')
  const { code, stderr } = await server.ended
  expect(code).toBe(0)
  await Promise.all(gone)
  const lines = stderr.split('\n').filter((line) => line.includes('seconds to drain'))
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      level: 40,
      sockets: 1,
      eventStreams: 1,
      requests: expect.any(Number),
      msg: 'the seconds to drain are over: what is left is ended',
    },
  ])
  // One is the incomplete order. The other order counts too if its response was pending.
  expect([1, 2]).toContain(JSON.parse(lines[0] ?? '').requests)
  const acknowledged = await ordering
  const stored = await database.db.selectFrom('trades').select('id').where('token_id', '=', tokenId).execute()
  expect(stored.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged))
  expect(acknowledged.length).toBeGreaterThan(0)
})

it('logs nothing about open connections if there are none', async () => {
  const { server } = await startDraining()
  server.child.kill('SIGTERM')
  const { code, stderr } = await server.ended
  expect(code).toBe(0)
  expect(stderr).not.toContain('what is left')
})
