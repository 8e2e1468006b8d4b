import { cashOutValue, Decimal, launchPool, quoteBuy, solText, tokensText } from '@papermoon/amm'
import { ID, token } from '@papermoon/live/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { patchSale } from '../../src/features/portfolio/holdings/patch-sale.ts'
import { cache, type PortfolioEntry, type TokenId } from '../../src/lib/api/api.ts'
import { queryClient } from '../../src/lib/api/query-client.ts'

const OTHER = 8 as TokenId
const { pool, spotAfter } = quoteBuy(launchPool(), new Decimal(10))
const sold = token({
  currentPrice: spotAfter.toFixed(),
  pool: {
    solReserve: solText(pool.sol),
    tokenReserve: tokensText(pool.tokens),
    realSol: solText(pool.sol.sub(pool.virtualSol)),
  },
})

const named = {
  tokenName: 'Paper Moon',
  tokenSymbol: 'MOON',
  emoji: '🌙',
  ruggedAt: null,
  sealedUntil: null,
  isListed: true,
}
const worth = { amount: '200', currentPrice: '1', pool: token().pool, cashOutValue: '150' }
const findEntry = (tokenId: TokenId): PortfolioEntry => ({
  ...named,
  ...worth,
  tokenId,
  totalValue: '200',
  cost: '100',
  profitLoss: '100',
  profitLossPercent: '100',
  profitLoss24h: '1',
  profitLossPercent24h: '1',
})
const findHolding = (tokenId: TokenId) => ({ ...named, ...worth, tokenId, currentValue: '200' })
const position = (amount: string) => ({ tokenId: ID, balance: '95', amount, cost: '0.5' })

beforeEach(() => {
  queryClient.clear()
  cache.portfolio.get.setData({}, [findEntry(ID), findEntry(OTHER)])
  cache.portfolio.dashboard.setData(undefined, {
    pnl: {
      total: '0',
      realized: '0',
      unrealized: '0',
      realizedParts: { closedTrades: '0', launchFees: '0', rugs: '0' },
      unrealizedParts: { cashOutValue: '0', cost: '0' },
    },
    holdings: [findHolding(ID), findHolding(OTHER)],
    createdTokens: [],
  })
})

describe('a sale from the row', () => {
  it('values the rest of the holding at the current price, and does not change other holdings', () => {
    patchSale(position('1000000'), sold)
    const value = spotAfter.mul(1_000_000).toDecimalPlaces(9, Decimal.ROUND_DOWN)
    const sale = cashOutValue(pool, new Decimal(1_000_000))
    const cashOut = sale.toFixed()
    const [left, other] = cache.portfolio.get.getData({}) ?? []
    expect(left).toMatchObject({
      amount: '1000000',
      currentPrice: sold.currentPrice,
      totalValue: value.toFixed(),
      cashOutValue: cashOut,
      cost: '0.5',
      profitLoss: sale.sub('0.5').toFixed(),
      profitLossPercent: sale.sub('0.5').mul(200).toDecimalPlaces(2, Decimal.ROUND_HALF_UP).toFixed(),
    })
    expect(left?.pool).toEqual(sold.pool)
    expect(other).toEqual(findEntry(OTHER))
    const { holdings } = cache.portfolio.dashboard.getData() ?? { holdings: [] }
    expect(holdings).toMatchObject([{ amount: '1000000', currentValue: value.toFixed(), cashOutValue: cashOut }, worth])
  })

  it('removes a holding that was sold from the lists', () => {
    patchSale(position('0'), sold)
    expect(cache.portfolio.get.getData({})).toEqual([findEntry(OTHER)])
    expect(cache.portfolio.dashboard.getData()?.holdings).toEqual([findHolding(OTHER)])
  })

  it('does not change lists that were not fetched', () => {
    queryClient.clear()
    patchSale(position('1000000'), sold)
    expect(cache.portfolio.get.getData({})).toBeUndefined()
    expect(cache.portfolio.dashboard.getData()).toBeUndefined()
  })
})
