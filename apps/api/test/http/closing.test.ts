import { createConnection } from 'node:net'
import { sql } from 'kysely'
import superjson from 'superjson'
import { expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { createTestServer } from '../support/test-server.ts'

const PLAYERS = 12
const ORDERS_EACH = 8

it('responds to every order that is traded while the server closes, and disconnects a client that never ends its request', async () => {
  const server = await createTestServer()
  onTestFinished(() => server.close())
  const players = await Promise.all(Array.from({ length: PLAYERS }, () => server.player()))
  await players[0]?.launch()
  const port = await server.listen()
  const cut = await openEndlessRequest(port)
  let answers = 0
  const sockets = await Promise.all(players.map(({ cookie = '' }) => openSocket(port, cookie, () => answers++)))
  for (const socket of sockets) for (let id = 1; id <= ORDERS_EACH; id++) socket.send(buy(id))
  const posts = players.map((player) => player.post('/api/tokens/buy', { tokenId: 1, solAmount: '0.1' }))
  await Promise.race(posts)
  await expect.poll(() => answers, { interval: 1 }).toBeGreaterThan(0)
  const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
  const [posted] = await Promise.all([Promise.all(posts), server.fastify.close()])
  await Promise.all([...closed, ...cut])
  expect(posted.filter(({ statusCode }) => ![200, 503].includes(statusCode))).toEqual([])
  const done = posted.filter(({ statusCode }) => statusCode === 200).length
  expect(done).toBeGreaterThan(0)
  const { rows } = await sql<{ trades: number }>`select count(*)::int as trades from trades`.execute(server.db)
  expect(answers + done).toBe(rows[0]?.trades)
})

/** Sends a request without end. Resolves to a promise that resolves once the server has closed the connection. */
async function openEndlessRequest(port: number): Promise<Promise<unknown>[]> {
  const client = createConnection(port, '127.0.0.1')
  client.on('error', () => {})
  const cut = new Promise((resolve) => client.once('close', resolve))
  await new Promise((resolve) => client.once('connect', resolve))
  client.write(
    'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{',
  )
  return [cut]
}

function openSocket(port: number, cookie: string, heard: () => void): Promise<WebSocket> {
  const origin = `http://127.0.0.1:${port}`
  const socket = new WebSocket(`ws://127.0.0.1:${port}/trpc`, { headers: { cookie, origin } })
  // A message can contain several responses, and errors do not count.
  socket.on('message', (data) => {
    for (const answer of [JSON.parse(String(data))].flat()) if (answer.result?.data !== undefined) heard()
  })
  return new Promise((resolve, reject) => socket.once('open', () => resolve(socket)).once('error', reject))
}

function buy(id: number): string {
  const input = superjson.serialize({ tokenId: 1, solAmount: '0.1' })
  return JSON.stringify({ id, method: 'mutation', params: { path: 'trading.buy', input } })
}
