import { createConnection } from 'node:net'
import type { TokenId } from '@papermoon/contract/ids'
import { launchEvent } from '@papermoon/live/testing'
import { describe, expect, it } from 'vitest'
import { publishMade } from '../../support/publish-made.ts'
import { createTestServer, errorsIn, openSocket, shareTestServer } from '../../support/test-server.ts'

const server = await shareTestServer()
const port = await server.listen()

const UPGRADE =
  'Host: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n'

const address = () => `ws://127.0.0.1:${port}/ws`

describe('/ws', () => {
  it('sends exactly this of a trade', async () => {
    const player = await server.player('to-the-letter')
    const tokenId = await player.launch({ name: 'Paper Moon', symbol: 'MOON' })
    const listener = await openSocket(address())
    await player.buy(tokenId, '1')
    const trade = {
      id: expect.any(Number),
      tokenId,
      seq: 1,
      side: 'buy',
      solAmount: '1',
      fee: '0.003',
      tokenAmount: '32164403.006742',
      price: '0.000000031090270812',
      spotPrice: '0.000000032027133633',
      createdAt: expect.any(String),
      userId: expect.any(Number),
      username: 'to-the-letter',
      isBot: false,
    }
    const change = {
      trade,
      pool: { solReserve: '30.997', tokenReserve: '967835596.993258', realSol: '0.997' },
      holding: '32164403.006742',
      currentPrice: '0.000000032027133633',
      marketCap: '32.027133633',
      volume: '1',
    }
    // The specification asks for `type`, `tokenId` and the change; these four came later, and `cursor`, which a message
    // has only where one can resume after it.
    const added = { seq: 1, name: 'Paper Moon', symbol: 'MOON', emoji: '🪙' }
    const { cursor = '', ...message } = Object(await listener.next())
    expect(cursor).toBeTypeOf('string')
    expect(message).toStrictEqual({ type: 'trade', tokenId, ...change, ...added })
    listener.socket.close()
  })

  it('ignores messages of readers', async () => {
    const listener = await openSocket(address())
    listener.socket.send('hello')
    listener.socket.send('{"broken')
    const tokenId = await (await server.player('talked-over')).launch()
    expect(await listener.next()).toMatchObject({ type: 'token_launched', tokenId })
    listener.socket.close()
  })

  it('accepts pages of every site, which the socket of the calls does not', async () => {
    for (const origin of ['https://statistics.example', 'null', `http://127.0.0.1:${port}`]) {
      const { socket } = await openSocket(address(), { origin })
      socket.close()
    }
    const calls = `ws://127.0.0.1:${port}/trpc`
    await expect(openSocket(calls, { origin: 'https://evil.example' })).rejects.toThrow('403')
    await expect(openSocket(calls, { origin: 'null' })).rejects.toThrow('403')
  })

  it.each(['/%zz', '/trpc/%zz', '/elsewhere', '/trpc', '/ws?since=1'])(
    'closes the connection of an upgrade that it refuses at %s',
    async (path) => {
      const socket = createConnection(port, '127.0.0.1')
      socket.write(`GET ${path} HTTP/1.1\r\nOrigin: https://evil.example\r\n${UPGRADE}`)
      const [answer] = await Promise.all([
        new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data)))),
        new Promise((resolve) => socket.once('close', resolve)),
      ])
      expect(answer).toMatch(/^HTTP\/1.1 4\d\d /)
    },
  )

  it('is no page for browsers', async () => {
    expect((await server.visitor().get('/ws')).statusCode).toBe(404)
  })

  it('refuses upgrades at other addresses', async () => {
    await expect(openSocket(`ws://127.0.0.1:${port}/elsewhere`)).rejects.toThrow('404')
    const page = await openSocket(`ws://127.0.0.1:${port}/api/tokens`)
    expect(await page.closed).toBe(1005)
  })

  it('cuts off a reader before it has a megabyte unread, and serves the others', async () => {
    // Those of the tests above close meanwhile.
    await expect.poll(openSockets).toBe(0)
    const lazy = createConnection(port, '127.0.0.1')
    lazy.write(`GET /ws HTTP/1.1\r\n${UPGRADE}`)
    await new Promise((resolve) => lazy.once('data', resolve))
    lazy.pause()
    const eager = await openSocket(address())
    await publishMade(server.app, launchEvent(777 as TokenId))
    expect(await eager.next()).toMatchObject({ type: 'token_launched', tokenId: 777 })
    const big = { type: 'rug_pull', tokenId: 777, seq: 1, userId: 1, username: 'x'.repeat(100_000), amount: '1' }
    for (let count = 1; (await openSockets()) > 1; count++) {
      await publishMade(server.app, { ...big, seq: count, createdAt: new Date().toISOString() } as never)
      expect(await eager.next()).toMatchObject({ seq: count })
      expect(mostUnread()).toBeLessThanOrEqual(1_048_576)
      expect(count).toBeLessThan(1_000)
    }
    lazy.destroy()
    eager.socket.close()
  })

  it('sends nothing more for a reader that left', async () => {
    const { stream } = server.app.live
    await expect.poll(() => stream.subscribers).toBe(0)
    const { socket } = await openSocket(address())
    await expect.poll(() => stream.subscribers).toBe(1)
    socket.close()
    await expect.poll(() => stream.subscribers).toBe(0)
  })

  it('is closed with a code when the server stops', async () => {
    const other = await createTestServer()
    const listener = await openSocket(`ws://127.0.0.1:${await other.listen()}/ws`)
    const closing = other.close()
    expect(await listener.closed).toBe(1001)
    await closing
  })

  it('logged none of this as an error', () => {
    expect(errorsIn(server)).toEqual([])
  })
})

async function openSockets(): Promise<number> {
  const metric = await server.app.platform.metrics.getSingleMetric('papermoon_sockets')?.get()
  return metric?.values[0]?.value ?? 0
}

/** Bytes that the server buffers for its readers. */
function mostUnread(): number {
  return Math.max(...[...server.fastify.websocketServer.clients].map((socket) => socket.bufferedAmount))
}
