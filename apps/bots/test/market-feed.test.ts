import { createPapermoonClient } from '@papermoon/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLog } from '../src/lib/log.ts'
import { MarketFeed } from '../src/market/market-feed.ts'
import { createBots } from './support/house-bots.ts'
import { startMarket, type TestMarket } from './support/market.ts'

let market: TestMarket
beforeAll(async () => {
  market = await startMarket()
})
afterAll(() => market.remove())

it('passes on every event of a token once and in order, whatever the socket loses', async () => {
  const [bot] = await createBots(market.url, ['ada'], { tokens: 2 })
  const { api } = createPapermoonClient({ url: market.url, apiKey: bot?.key ?? '' })
  const sockets = new Set<WebSocket>()
  let swallowed = 0
  /** Loses every third message with a trade, as no real socket does, so that gaps appear within a connection. */
  class LossySocket extends WebSocket {
    constructor(...args: ConstructorParameters<typeof WebSocket>) {
      super(...args)
      sockets.add(this)
    }
    override addEventListener(type: string, listener: EventListenerOrEventListenerObject): void {
      super.addEventListener(type, (event) => {
        const { data } = event as MessageEvent
        const isTrade = type === 'message' && typeof data === 'string' && data.includes('"trade"') && !isResumed(data)
        if (isTrade && swallowed++ % 3 === 0) return
        if (typeof listener === 'function') listener.call(this, event)
        else listener.handleEvent(event)
      })
    }
  }
  const client = createPapermoonClient({ url: market.url, WebSocket: LossySocket, toReconnectMs: () => 300 })
  const seen = new Map<number, number[]>()
  const closing = new AbortController()
  const feed = new MarketFeed({
    client,
    listener: {
      onToken: ({ id, seq }) => void seen.set(id, [seq]),
      onEvent: ({ tokenId, seq }) => void seen.get(tokenId)?.push(seq),
      onGone: (tokenId) => void seen.delete(tokenId),
    },
    log: createLog(() => {}),
    signal: closing.signal,
  })
  await feed.start()
  const [tokenId = 0] = [...seen.keys()]
  expect(seen.get(tokenId)).toEqual([1])
  for (let trade = 2; trade <= 12; trade++) {
    if (trade === 7) for (const socket of sockets) socket.close()
    await api.trading.buy.mutate({ tokenId, solAmount: '0.01' })
  }
  await expect.poll(() => feed.hasSeen(tokenId, 12)).toBe(true)
  expect(seen.get(tokenId)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1))
  await expect.poll(() => feed.isCurrent).toBe(true)
  expect([swallowed > 0, sockets.size > 1]).toEqual([true, true])

  await feed.restart()
  expect(seen.get(tokenId)).toEqual([12])
  closing.abort()
  await client.close()
})

/** Messages of a resumed token have its sequence number as id, those of the market a time. */
function isResumed(data: string): boolean {
  return /"id":"\d+"/.test(data)
}
