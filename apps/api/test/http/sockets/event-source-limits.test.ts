import { createConnection, type Socket } from 'node:net'
import type { TokenId } from '@papermoon/contract/ids'
import { launchEvent } from '@papermoon/live/testing'
import { fastify } from 'fastify'
import fp from 'fastify-plugin'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { eventSource } from '../../../src/http/sockets/event-source.ts'
import { openEventSource } from '../../support/event-source.ts'
import { publishMade } from '../../support/publish-made.ts'
import { errorsIn, openSocket, shareTestServer } from '../../support/test-server.ts'
import { WAIT_MAX_MS } from '../../support/wait.ts'

const UNREAD_BYTES_MAX = 1_048_576
const PER_ADDRESS_MAX = 100
const UPGRADE =
  'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n'

/** The server's ends of all connections. */
const accepted = new Set<Socket>()
const server = await shareTestServer({ env: { RATE_LIMIT: 'on', TRUST_PROXY: 'loopback' } })
server.fastify.server.on('connection', (socket: Socket) => accepted.add(socket))
const port = await server.listen()

const address = () => `http://127.0.0.1:${port}/api/events`

it('a heartbeat with the position to resume at comes every 15 seconds', async () => {
  const first = await openEventSource(address(), { 'x-forwarded-for': '203.0.113.1' })
  first.close()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  // This second server has the fake clock, so only its heartbeats do too.
  const beating = fastify({ forceCloseConnections: true })
  onTestFinished(() => beating.close())
  const sockets = fp(
    async (it) => void it.decorate('liveSockets', { assertRoom: () => {}, hold: () => () => {} } as never),
    {
      name: 'live-sockets',
    },
  )
  await beating.register(sockets)
  await beating.register(fp(async () => {}, { name: 'metrics' }))
  await beating.register(eventSource, { app: server.app })
  const source = await openEventSource(`${await beating.listen({ port: 0, host: '127.0.0.1' })}/api/events`)
  await source.until(() => source.lastId() !== '')
  const countBeats = () => source.text().split(': heartbeat\n').length - 1
  expect(countBeats()).toBe(0)
  const before = source.text().length
  vi.advanceTimersByTime(10 * 15_000)
  await source.until(() => source.text().endsWith('\n\n') && countBeats() >= 10)
  expect(source.text().slice(before)).toMatch(/^(: heartbeat\nid: [\w-]+\n\n){10}$/)
  source.close()
})

describe.each(['/api/events', '/ws'])('%s', (path) => {
  it('cuts off a reader before it has a megabyte unread, and serves the others', async () => {
    const lazy = createConnection(port, '127.0.0.1')
    onTestFinished(() => void lazy.destroy())
    const upgrade = path === '/ws' ? UPGRADE : ''
    lazy.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.2\r\n${upgrade}\r\n`)
    await new Promise((resolve) => lazy.once('data', resolve))
    lazy.pause()
    const ofLazy = [...accepted].find(({ remotePort }) => remotePort === lazy.localPort)
    const eager = await openEventSource(address(), { 'x-forwarded-for': '203.0.113.3' })
    await eager.until(() => eager.lastId() !== '')
    await publishMade(server.app, launchEvent(777 as TokenId))
    expect(await eager.at(0)).toMatchObject({ type: 'launch', data: { tokenId: 777 } })
    const big = { type: 'rug_pull', tokenId: 777, userId: 1, username: 'x'.repeat(100_000), amount: '1' }
    let count = 0
    while (ofLazy?.destroyed === false) {
      count++
      await publishMade(server.app, { ...big, seq: count, createdAt: new Date().toISOString() } as never)
      expect(await eager.at(count)).toMatchObject({ type: 'rug', data: { seq: count } })
      expect(Math.max(...[...accepted].map((socket) => socket.writableLength))).toBeLessThanOrEqual(UNREAD_BYTES_MAX)
      expect(count).toBeLessThan(1_000)
    }
    // The buffers of the operating system take up some events too, so this is more than fits into a megabyte.
    expect(count).toBeGreaterThan(UNREAD_BYTES_MAX / 100_000)
    // The counter of event streams must not include sockets.
    expect(await cutOff()).toBe(1)
    lazy.resume()
    await new Promise((resolve) => lazy.once('close', resolve))
    eager.close()
    await eager.closed
  })
})

it('an IP address can have a hundred streams and sockets together', async () => {
  const theirs = { 'x-forwarded-for': '203.0.113.4' }
  const open = () => openEventSource(address(), theirs)
  const sources = await Promise.all(Array.from({ length: PER_ADDRESS_MAX - 1 }, open))
  const socket = await openSocket(`ws://127.0.0.1:${port}/ws`, theirs)
  const refused = await open()
  expect([refused.status, sources.every(({ status }) => status === 200)]).toEqual([429, true])
  await expect(openSocket(`ws://127.0.0.1:${port}/ws`, theirs)).rejects.toThrow('429')
  const other = await openEventSource(address(), { 'x-forwarded-for': '203.0.113.5' })
  expect(other.status).toBe(200)
  for (const ended of [() => sources[0]?.close(), () => socket.socket.close()]) {
    ended()
    await vi.waitFor(async () => {
      const again = await open()
      sources.push(again)
      expect(again.status).toBe(200)
    }, WAIT_MAX_MS)
  }
  for (const source of [...sources, refused, other]) source.close()
})

it('none of these tests logged an error', () => {
  expect(errorsIn(server)).toEqual([])
})

async function cutOff(): Promise<number> {
  const metric = await server.app.platform.metrics.getSingleMetric('papermoon_event_listeners_cut_off_total')?.get()
  return metric?.values[0]?.value ?? 0
}
