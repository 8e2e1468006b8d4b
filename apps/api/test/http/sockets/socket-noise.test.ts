import type { Socket } from 'node:net'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { readPosition } from '../../../src/events/journal.ts'
import { insertTrades } from '../../support/insert-trades.ts'
import { type Listener, openSocket, shareTestServer } from '../../support/test-server.ts'

const READS = 1_200

const server = await shareTestServer({ hasJobs: false, env: { RATE_LIMIT: 'on', TRUST_PROXY: 'loopback' } })
const port = await server.listen()

/** Each test uses its own IP address, because each address has its own limits. */
let ip = ''
let tests = 0
beforeEach(() => {
  vi.restoreAllMocks()
  ip = `203.0.113.${++tests}`
})

const open = (path: string) => openSocket(`ws://127.0.0.1:${port}${path}`, { 'x-forwarded-for': ip })
/** Counts the reads of this test's IP address from now on. */
function countReads(): () => number {
  const spent = vi.spyOn(server.app.accounts.limits, 'spend')
  const own = () => spent.mock.calls.filter(([caller, limit]) => caller.ip === ip && limit === 'read')
  return () => own().reduce((sum, [, , calls = 1]) => sum + calls, 0)
}
const spend = (reads: number) => server.app.accounts.limits.spend({ ip, header: () => {} }, 'read', reads)

/** Sends empty fragments of a message that never ends. Each fragment has six bytes. */
function sendFragments(socket: WebSocket, count: number): void {
  for (let i = 0; i < count; i++) socket.send('', { fin: false })
}

const NOISE: readonly [string, (listener: Listener) => void][] = [
  ['broken JSON', ({ socket }) => socket.send('{"broken')],
  ['no object', ({ socket }) => socket.send('5')],
  ['bytes', ({ socket }) => socket.send(Buffer.from([1, 2, 3]))],
  ['an invalid id', (listener) => listener.send({ id: [1], method: 'query', params: { path: 'auth.me' } })],
  ['no id', (listener) => listener.send({ id: null, method: 'query', params: { path: 'auth.me' } })],
  ['an unknown procedure', (listener) => listener.send({ id: 1, method: 'query', params: { path: 'auth.none' } })],
  [
    'a procedure of another kind',
    (listener) => listener.send({ id: 1, method: 'query', params: { path: 'auth.logout' } }),
  ],
  ['a batch that is too large', (listener) => listener.send(new Array(21).fill({ id: 1 }))],
  ['an unknown property', (listener) => listener.send({ id: 1, method: 'query', params: { path: 'auth.me' }, x: 1 })],
  ['a stop without a subscription', (listener) => listener.send({ id: 1, method: 'subscription.stop' })],
  ['a ping of tRPC', ({ socket }) => socket.send('PING')],
  ['a pong of tRPC', ({ socket }) => socket.send('PONG')],
  ['a ping frame', ({ socket }) => socket.ping()],
  ['an unsolicited pong frame', ({ socket }) => socket.pong()],
  ['4 KB of empty fragments', ({ socket }) => sendFragments(socket, 700)],
]

describe('a message over a socket that is not a call', () => {
  it.each(NOISE)('counts as a read: %s', async (_name, say) => {
    const listener = await open('/trpc')
    // The listener would fail on tRPC's pong, which is not JSON.
    listener.socket.removeAllListeners('message')
    const reads = countReads()
    for (let i = 0; i < 5; i++) say(listener)
    await expect.poll(reads).toBe(5)
    listener.socket.close()
  })

  it('also counts at /ws', async () => {
    const listener = await open('/ws')
    const reads = countReads()
    for (let i = 0; i < 7; i++) listener.socket.send('hello')
    await expect.poll(reads).toBe(7)
    listener.socket.pong()
    await expect.poll(reads).toBe(8)
    listener.socket.close()
  })

  it('is counted in one step with all others that arrive together', async () => {
    const listener = await open('/ws')
    const reads = countReads()
    const stream: Socket = Reflect.get(listener.socket, '_socket')
    stream.cork()
    for (let i = 0; i < 600; i++) listener.socket.pong()
    stream.uncork()
    await expect.poll(reads).toBe(600)
    expect(vi.mocked(server.app.accounts.limits.spend).mock.calls.length).toBeLessThan(20)
    listener.socket.close()
  })

  it.each(['/trpc', '/ws'])('closes a socket at %s past the limit', async (path) => {
    const listener = await open(path)
    await spend(READS).catch(() => {})
    listener.socket.send('{"broken')
    expect(await listener.closed).toBe(1008)
  })

  it('closes a socket of /trpc if it is the eleventh that is not JSON, and no more is read', async () => {
    const listener = await open('/trpc')
    const reads = countReads()
    for (let i = 0; i < 50; i++) listener.socket.send('{"broken')
    expect(await listener.closed).toBe(1008)
    expect(reads()).toBe(11)
  })

  it('is not counted in addition to a call', async () => {
    const listener = await open('/trpc')
    const reads = countReads()
    listener.send({ id: 1, method: 'query', params: { path: 'auth.me' } })
    await listener.next()
    expect(reads()).toBe(1)
    listener.socket.close()
  })
})

describe('resuming', () => {
  /** Creates a token with this many trades, and subscribes to all of its events. */
  async function resume(listener: Listener, count: number): Promise<void> {
    const player = await server.player()
    const tokenId = await player.launch()
    await insertTrades(server.db, tokenId, [1, count])
    await server.app.live.feed.catchUp(await readPosition(server.db))
    const params = { path: 'live.token', input: { json: { tokenId, lastEventId: '0' } } }
    listener.send({ id: 1, method: 'subscription', params })
  }

  it('counts as reads by the number of events', async () => {
    const listener = await open('/trpc')
    const reads = countReads()
    await resume(listener, 120)
    for (let i = 0; i < 121; i++) await listener.next()
    // There were 121 messages: the response to the subscription, which counts once, and 120 events, which count twice.
    expect(reads()).toBe(1 + 2)
    listener.socket.close()
  })

  it('gets 429 past the limit', async () => {
    const listener = await open('/trpc')
    await spend(READS - 1)
    await resume(listener, 60)
    expect(await listener.next()).toMatchObject({ result: { type: 'started' } })
    expect(await listener.next()).toMatchObject({ error: { json: { data: { httpStatus: 429 } } } })
    listener.socket.close()
  })
})
