import { computeMarketCap, Decimal, launchPool, quoteBuy, quoteSell, solText, tokensText } from '@papermoon/amm'
import { FIRST_FAIR_TOKEN } from '@papermoon/contract/fair-tokens'
import { chart, ID, token, tradeEvent, userId } from '@papermoon/live/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { cacheRug } from '../../src/features/trading/creator/creator-controls.tsx'
import type { Answer } from '../../src/features/trading/panel/use-trade.ts'
import { type CurrentUser, cache, type TokenId, type Trade } from '../../src/lib/api/api.ts'
import { isResponseCached } from '../../src/lib/api/current-user.ts'
import { queryClient } from '../../src/lib/api/query-client.ts'
import { cacheTrade, toEvent } from '../../src/lib/live/live-cache.ts'
import { toChartInput } from '../../src/lib/market/chart-input.ts'

const bought = quoteBuy(launchPool(), new Decimal(2))
const buy: Trade = {
  ...tradeEvent({ seq: 1 }).trade,
  solAmount: '2',
  fee: solText(bought.fee),
  tokenAmount: tokensText(bought.tokensOut),
  spotPrice: bought.spotAfter.toFixed(),
  userId: userId(9),
}
const createAnswer = (trade: Trade, amount = trade.tokenAmount): Answer => ({
  received: trade.tokenAmount,
  trade,
  position: { tokenId: trade.tokenId, balance: '98', amount, cost: '2' },
})

beforeEach(() => queryClient.clear())

describe('the event built from a response', () => {
  it('equals the live feed’s: pool, price and volume after a buy', () => {
    expect(toEvent(token(), buy, buy.tokenAmount)).toEqual({
      type: 'trade',
      tokenId: ID,
      seq: 1,
      trade: buy,
      pool: {
        solReserve: solText(bought.pool.sol),
        tokenReserve: tokensText(bought.pool.tokens),
        realSol: solText(bought.pool.sol.sub(30)),
      },
      currentPrice: buy.spotPrice,
      marketCap: computeMarketCap(bought.spotAfter).toFixed(),
      volume: '2',
      holding: buy.tokenAmount,
    })
  })

  it('counts the volume of a sale before the fee', () => {
    const sold = quoteSell(bought.pool, bought.tokensOut)
    const after = { ...token(), ...toEvent(token(), buy, '0'), seq: 1 } as ReturnType<typeof token>
    const sale: Trade = {
      ...buy,
      seq: 2,
      side: 'sell',
      solAmount: solText(sold.solOut),
      fee: solText(sold.fee),
      spotPrice: sold.spotAfter.toFixed(),
    }
    expect(toEvent(after, sale, '0')?.volume).toBe(solText(sold.gross))
  })

  it('is null if other trades came between, or if the pool is not the one that was traded', () => {
    expect(toEvent(token(), { ...buy, seq: 2 }, '1')).toBeNull()
    expect(toEvent(token(), { ...buy, spotPrice: '1' }, '1')).toBeNull()
    expect(toEvent(token({ ruggedAt: buy.createdAt }), buy, '1')).toBeNull()
  })
})

describe('a response', () => {
  it('patches everything that is cached, and the live event of the same trade changes nothing', () => {
    cache.tokens.get.setData({ id: ID }, token())
    cache.tokens.trades.setData({ id: ID }, [])
    cache.tokens.holders.setData({ id: ID }, [])
    cache.tokens.chart.setData(toChartInput(ID, 'ALL'), chart())
    cacheTrade(ID, createAnswer(buy))
    cacheTrade(ID, createAnswer(buy))
    expect(cache.tokens.get.getData({ id: ID })).toMatchObject({ seq: 1, totalTrades: 1, currentPrice: buy.spotPrice })
    expect(cache.tokens.trades.getData({ id: ID })).toEqual([buy])
    expect(cache.tokens.holders.getData({ id: ID })).toMatchObject([{ userId: 9, rank: 1, amount: buy.tokenAmount }])
    expect(cache.tokens.chart.getData(toChartInput(ID, 'ALL'))).toMatchObject({ seq: 1, totalTrades: 1 })
    expect(cache.trading.position.getData({ tokenId: ID })?.balance).toBe('98')
    expect(isResponseCached(ID, 1)).toBe(true)
    expect(isResponseCached(ID, 2)).toBe(false)
  })

  it('refetches a token it cannot patch while the live feed is down', () => {
    const other = 8 as TokenId
    cache.tokens.get.setData({ id: other }, token({ id: other }))
    cacheTrade(other, createAnswer({ ...buy, tokenId: other, seq: 5 }))
    expect(cache.tokens.get.getData({ id: other })).toBeUndefined()
    expect(cache.trading.position.getData({ tokenId: other })?.amount).toBe(buy.tokenAmount)
  })

  it('that comes late overwrites no newer one, and keeps a token that includes the trade', () => {
    const late = 9 as TokenId
    cache.tokens.get.setData({ id: late }, token({ id: late, seq: 3 }))
    const newer = createAnswer({ ...buy, tokenId: late, seq: 3 }, '7')
    cacheTrade(late, newer)
    cacheTrade(late, createAnswer({ ...buy, tokenId: late, seq: 2 }, '5'))
    expect(cache.trading.position.getData({ tokenId: late })?.amount).toBe('7')
    expect(cache.tokens.get.getData({ id: late })?.seq).toBe(3)
  })

  it.each(['a trade', 'a rug pull'])('of %s in a fair does not change the balance of the fairground', (what) => {
    const me = { id: userId(9), username: 'barnum', solBalance: '55' } as CurrentUser
    cache.auth.me.setData(undefined, me)
    const tokenId = FIRST_FAIR_TOKEN as TokenId
    if (what === 'a trade') cacheTrade(tokenId, createAnswer({ ...buy, tokenId, seq: 7 }))
    else cacheRug({ ...token(), id: tokenId }, me, { ruggedAmount: '5', balance: '98' })
    expect(cache.auth.me.getData()?.solBalance).toBe('55')
    cacheRug(token(), me, { ruggedAmount: '5', balance: '98' })
    expect(cache.auth.me.getData()?.solBalance).toBe('98')
  })
})
