import { sql } from 'kysely'
import superjson from 'superjson'
import { expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { createTestServer } from '../support/test-server.ts'

const PLAYERS = 12
const ORDERS_EACH = 8

it('answers over a socket every order that is traded while the server closes', async () => {
  const server = await createTestServer()
  onTestFinished(() => server.close())
  const players = await Promise.all(Array.from({ length: PLAYERS }, () => server.player()))
  await players[0]?.mutate('tokens.launch', { name: 'Paper Moon', symbol: 'MOON', emoji: '🌙' })
  const port = await server.listen()
  let answers = 0
  const sockets = await Promise.all(players.map(({ cookie = '' }) => openSocket(port, cookie, () => answers++)))
  for (const socket of sockets) for (let id = 1; id <= ORDERS_EACH; id++) socket.send(buy(id))
  await expect.poll(() => answers, { interval: 1 }).toBeGreaterThan(0)
  const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
  await server.fastify.close()
  await Promise.all(closed)
  const { rows } = await sql<{ trades: number }>`select count(*)::int as trades from trades`.execute(server.db)
  expect(rows[0]?.trades).toBeGreaterThan(0)
  expect(answers).toBe(rows[0]?.trades)
})

function openSocket(port: number, cookie: string, heard: () => void): Promise<WebSocket> {
  const origin = `http://127.0.0.1:${port}`
  const socket = new WebSocket(`ws://127.0.0.1:${port}/trpc`, { headers: { cookie, origin } })
  // A message may hold several answers; refusals do not count.
  socket.on('message', (data) => {
    for (const answer of [JSON.parse(String(data))].flat()) if (answer.result?.data !== undefined) heard()
  })
  return new Promise((resolve, reject) => socket.once('open', () => resolve(socket)).once('error', reject))
}

function buy(id: number): string {
  const input = superjson.serialize({ tokenId: 1, solAmount: '0.1' })
  return JSON.stringify({ id, method: 'mutation', params: { path: 'trading.buy', input } })
}
