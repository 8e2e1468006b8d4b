import { createConnection, Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createTestServer, errorsIn } from '../../support/test-server.ts'
import { WAIT_MAX_MS } from '../../support/wait.ts'

/** More trades than the system buffers for a client that does not read. */
const TRADES = 40_000
const HOUR_MS = 3_600_000

const opened: Socket[] = []
const server = await createTestServer({ hasJobs: false, env: { TRUST_PROXY: 'loopback' } })
const port = await server.listen()
await (await server.player('streamed')).launch({ initialBuyAmount: '1' })
await sql`
  insert into trades (id, token_id, seq, user_id, side, sol_amount, fee, token_amount, price, sol_reserve,
                      token_reserve, spot_price, created_at, hash)
  select first + n - 1, token_id, seq + n, user_id, side, 1, 0, 1, price, sol_reserve, token_reserve, spot_price,
         created_at, hash
    from trades, next_position(${TRADES}) first, generate_series(1, ${TRADES}) n`.execute(server.db)
await sql`analyze trades`.execute(server.db)
afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy()
  await vi.waitFor(async () => expect((await open('203.0.113.200')).status).toBe('200'), WAIT_MAX_MS)
  for (const socket of opened.splice(0)) socket.destroy()
})
afterAll(async () => {
  expect(errorsIn(server)).toEqual([])
  await server.close()
})

interface OpenStream {
  readonly status: string
  readonly head: string
  readonly socket: Socket
  /** Resolves once the server has ended the connection, with the last bytes received. */
  readonly closed: Promise<string>
}

/** Starts a stream of all trades from an IP address. Its client stops reading after the first bytes. */
async function open(from: string): Promise<OpenStream> {
  const socket = createConnection(port, '127.0.0.1')
  opened.push(socket)
  socket.on('error', () => {})
  const head = ['GET /api/trades HTTP/1.1', 'Host: x', 'Accept: text/csv', `X-Forwarded-For: ${from}`]
  socket.write([...head, '', ''].join('\r\n'))
  let last = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))))
  const first = last
  socket.pause()
  socket.on('data', (data) => {
    last = String(data)
  })
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(last)))
  return { status: first.slice(9, 12), head: first, socket, closed }
}

const LAST_CHUNK = /\r\n0\r\n\r\n$/

describe('streams of rows', () => {
  it('are limited to eight at a time on a node, for all readers together', async () => {
    const streams: OpenStream[] = []
    for (let i = 0; i < 8; i++) streams.push(await open(`203.0.113.${i}`))
    expect(streams.map(({ status }) => status)).toEqual(Array(8).fill('200'))
    // Move the clock back, so that no stream counts as slow, however long it took to open them.
    server.passTime(-HOUR_MS)
    const ninth = await open('203.0.113.9')
    server.passTime(HOUR_MS)
    expect(ninth.status).toBe('503')
    expect(ninth.head).toMatch(/^retry-after: \d+/im)
    streams[0]?.socket.destroy()
    await vi.waitFor(async () => expect((await open('203.0.113.9')).status).toBe('200'), WAIT_MAX_MS)
  })

  it('that are not read are ended for the next one', { tags: 'nightly' }, async () => {
    const streams: OpenStream[] = []
    for (let i = 0; i < 8; i++) streams.push(await open(`203.0.113.${i}`))
    // At first the clients still receive data, until the system's buffers are full.
    await vi.waitFor(async () => {
      server.passTime(5_000)
      expect((await open('203.0.113.9')).status).toBe('200')
    }, WAIT_MAX_MS)
    await expect.poll(findBroken).toContain('a slow download was ended for another one')
    for (const { socket } of streams) socket.resume()
    expect(await Promise.race(streams.map(({ closed }) => closed))).not.toMatch(LAST_CHUNK)
  })

  it('are limited to two per network, for all its addresses together', async () => {
    const first = await open('2001:db8:1::1')
    expect([first.status, (await open('2001:db8:1:2::1')).status]).toEqual(['200', '200'])
    const third = await open('2001:db8:1:3::1')
    expect([third.status, /^retry-after: (\d+)/im.exec(third.head)?.[1]]).toEqual(['429', '10'])
    expect(third.head).toContain(
      'At most 2 exports (CSV or NDJSON) at a time from one address. Please try again once one has ended.',
    )
    first.socket.destroy()
    await vi.waitFor(async () => expect((await open('2001:db8:1:3::1')).status).toBe('200'), WAIT_MAX_MS)
  })

  it('are cut off, without their last chunk, if nobody has read a byte for 30 seconds', async () => {
    const real = Socket.prototype.setTimeout
    const spy = vi.spyOn(Socket.prototype, 'setTimeout')
    const bounded = new Set<Socket>()
    let stallMaxMs = 30_000
    spy.mockImplementation(function (this: Socket, ms, callback) {
      if (ms === 30_000) bounded.add(this)
      return real.call(this, ms === 30_000 ? stallMaxMs : ms, callback)
    })
    onTestFinished(() => spy.mockRestore())
    const stream = await open('203.0.113.30')
    expect(stream.status).toBe('200')
    // Shorten the timeout only now, because the first bytes take longer on a slow machine.
    stallMaxMs = 300
    for (const socket of bounded) real.call(socket, stallMaxMs)
    await expect.poll(findBroken).toContain('the client of a download read nothing')
    stream.socket.resume()
    expect(await stream.closed).not.toMatch(LAST_CHUNK)
    expect(spy).toHaveBeenCalledWith(30_000)
  })

  it('end after half an hour, without their last chunk', async () => {
    const real = AbortSignal.timeout
    const halfAnHour = new AbortController()
    const spy = vi
      .spyOn(AbortSignal, 'timeout')
      .mockImplementation((ms) => (ms === 30 * 60_000 ? halfAnHour.signal : real(ms)))
    onTestFinished(() => spy.mockRestore())
    const stream = await open('203.0.113.31')
    expect(stream.status).toBe('200')
    expect(spy).toHaveBeenCalledWith(30 * 60_000)
    spy.mockRestore()
    halfAnHour.abort(new DOMException('half an hour is over', 'TimeoutError'))
    await expect.poll(findBroken).toContainEqual(expect.stringContaining('half an hour is over'))
    stream.socket.resume()
    expect(await stream.closed).not.toMatch(LAST_CHUNK)
  })

  it('end without their last chunk if the database fails, so that a client notices', async () => {
    const stream = await open('203.0.113.32')
    // The stream waits because its client does not read. Then its table disappears.
    await sql`alter table trades rename to gone`.execute(server.db)
    stream.socket.resume()
    expect(await stream.closed).not.toMatch(LAST_CHUNK)
    await sql`alter table gone rename to trades`.execute(server.db)
  })
})

/** Returns the logged reasons of ended streams. */
function findBroken(): (string | undefined)[] {
  return server.logs.filter(({ msg }) => msg === 'a stream of rows broke off').map(({ err }) => err?.message)
}
