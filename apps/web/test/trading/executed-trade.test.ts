import { Decimal, launchPool, parseSol, quoteBuy, quoteSell, solText, tokensText } from '@papermoon/amm'
import { describe, expect, it } from 'vitest'
import { formatImpact } from '../../src/features/trading/order/preview-trade.ts'
import { computeTradeImpact, formatSaleGain } from '../../src/features/trading/panel/trade-result.tsx'
import { computeSaleGain, findExecution } from '../../src/features/trading/panel/use-trade.ts'
import type { UserId } from '../../src/lib/api/api.ts'

const ME = 7 as UserId

describe('the impact of an executed trade', () => {
  it.each(['0.000001', '0.25', '1', '10', '90'])('of %s SOL equals the panel’s quote, without the pool', (sol) => {
    const quote = quoteBuy(launchPool(), parseSol(sol))
    const trade = {
      side: 'buy',
      solAmount: sol,
      fee: solText(quote.fee),
      tokenAmount: tokensText(quote.tokensOut),
      spotPrice: quote.spotAfter.toFixed(),
    } as const
    expect(formatImpact(computeTradeImpact(trade))).toBe(formatImpact(quote.priceImpact))
  })

  it('of a sale is negative', () => {
    const { pool, tokensOut } = quoteBuy(launchPool(), parseSol('20'))
    const quote = quoteSell(pool, tokensOut)
    const trade = {
      side: 'sell',
      solAmount: solText(quote.solOut),
      fee: solText(quote.fee),
      tokenAmount: tokensText(tokensOut),
      spotPrice: quote.spotAfter.toFixed(),
    } as const
    expect(formatImpact(computeTradeImpact(trade))).toBe(formatImpact(quote.priceImpact))
    expect(computeTradeImpact(trade).lt(0)).toBe(true)
  })

  it('of zero is zero', () => {
    const trade = { side: 'sell', solAmount: '0', fee: '0', tokenAmount: '1', spotPrice: '0' } as const
    expect(computeTradeImpact(trade)).toEqual(new Decimal(0))
  })
})

describe('the profit or loss of a sale', () => {
  const trade = { side: 'sell', solAmount: '5.235450123', tokenAmount: '40' } as const
  const soldAll = { trade, position: { amount: '0', cost: '0' } }
  const soldHalf = { trade, position: { amount: '40.000000', cost: '6.000000000' } }

  it('is its proceeds minus the average cost of the tokens sold', () => {
    expect(computeSaleGain(soldAll, { amount: '40', cost: '5' })).toEqual({ sol: '0.235450123', percent: '4.71' })
    expect(computeSaleGain(soldHalf, { amount: '80', cost: '12' })).toEqual({ sol: '-0.764549877', percent: '-12.74' })
  })

  it.each([
    ['more tokens', { amount: '120', cost: '12' }],
    ['fewer tokens', { amount: '39', cost: '12' }],
    ['another cost', { amount: '80', cost: '11' }],
  ])('is not told of a position that had %s when it was sent', (_, before) => {
    expect(computeSaleGain(soldHalf, before)).toBeNull()
  })

  it('rounds against the player', () => {
    expect(formatSaleGain({ sol: '0.235450999', percent: '4.71' })).toBe('+0.235450 SOL (+4.71%)')
    expect(formatSaleGain({ sol: '-0.7645491', percent: '-12.74' })).toBe('−0.764550 SOL (−12.74%)')
  })

  it('is not shown for a buy, or if the cost is unknown', () => {
    expect(computeSaleGain({ ...soldAll, trade: { ...trade, side: 'buy' } }, { amount: '40', cost: '5' })).toBeNull()
    expect(computeSaleGain(soldAll, undefined)).toBeNull()
  })
})

describe('an order without a response', () => {
  const order = { side: 'buy', amount: '0.505', afterSeq: 4 } as const
  const trade = { seq: 5, side: 'buy', userId: ME, solAmount: '0.505000000', tokenAmount: '9' } as const

  it('was executed if a later trade of the player is the same', () => {
    expect(findExecution([{ ...trade, seq: 6, solAmount: '2' }, trade], order, ME)).toBe(trade)
  })
  it.each([
    ['is older', { ...trade, seq: 4 }],
    ['is another player’s', { ...trade, userId: 8 as UserId }],
    ['is of another amount', { ...trade, solAmount: '0.5' }],
    ['is a sale', { ...trade, side: 'sell' as const }],
  ])('is not found in a trade that %s', (_, other) => {
    expect(findExecution([other], order, ME)).toBeNull()
  })
  it('is not searched for if it is unknown which trades are later', () => {
    expect(findExecution([trade], { ...order, afterSeq: null }, ME)).toBeNull()
  })
})
