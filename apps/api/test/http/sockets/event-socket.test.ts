import { createConnection } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createTestServer, errorsIn, openSocket, shareTestServer } from '../../support/test-server.ts'

const server = await shareTestServer()
const port = await server.listen()

const UPGRADE =
  'Host: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n'

const address = () => `ws://127.0.0.1:${port}/ws`

describe('/ws', () => {
  it('sends exactly these properties of a trade', async () => {
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
    // The specification requires `type`, `tokenId` and the change. The four others came later, like `cursor`, which
    // only messages have that a client can resume after.
    const added = { seq: 1, name: 'Paper Moon', symbol: 'MOON', emoji: '🪙' }
    const { cursor = '', ...message } = Object(await listener.next())
    expect(cursor).toBeTypeOf('string')
    expect(message).toStrictEqual({ type: 'trade', tokenId, ...change, ...added })
    listener.socket.close()
  })

  it('accepts pages of every site, and ignores messages of readers', async () => {
    const listener = await openSocket(address(), { origin: 'https://statistics.example' })
    listener.socket.send('hello')
    listener.socket.send('{"broken')
    const tokenId = await (await server.player('talked-over')).launch()
    expect(await listener.next()).toMatchObject({ type: 'token_launched', tokenId })
    listener.socket.close()
  })

  it.each(['/%zz', '/trpc/%zz', '/elsewhere', '/trpc', '/ws?since=1'])(
    'closes the connection of an upgrade that it rejects at %s',
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

  it('is not a page for browsers', async () => {
    expect((await server.visitor().get('/ws')).statusCode).toBe(404)
  })

  it('sends nothing more to a reader that has disconnected', async () => {
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

  it('none of these tests logged an error', () => {
    expect(errorsIn(server)).toEqual([])
  })
})
