import { beforeEach, describe, expect, it } from 'vitest'
import { cache, type TokenId } from '../src/lib/api.ts'
import { applyToListing, applyToToken, knownSeq, LISTING } from '../src/lib/live-cache.ts'
import { queryClient } from '../src/lib/query-client.ts'
import { chart, ID, launchEvent, token, tradeEvent } from './fixtures.ts'

beforeEach(() => queryClient.clear())

describe('events reach the cache', () => {
  it('the listing, with everything that happened since', () => {
    cache.tokens.list.setData(LISTING, { tokens: [token()], nextCursor: null })
    applyToListing([tradeEvent({ seq: 1 }), launchEvent(8 as TokenId)])
    const seqs = cache.tokens.list.getData(LISTING)?.tokens.map(({ id, seq }) => [id, seq])
    expect(seqs).toEqual([
      [8, 0],
      [7, 1],
    ])
  })

  it('every part of a token that is cached, and none that is not', () => {
    cache.tokens.get.setData({ id: ID }, token())
    cache.tokens.trades.setData({ id: ID }, [])
    cache.tokens.chart.setData({ id: ID, timeframe: '1H' }, chart({ timeframe: '1H' }))
    applyToToken(ID, [tradeEvent({ seq: 1 }), tradeEvent({ seq: 2 })])
    expect(cache.tokens.get.getData({ id: ID })?.seq).toBe(2)
    expect(cache.tokens.trades.getData({ id: ID })?.map(({ seq }) => seq)).toEqual([2, 1])
    expect(cache.tokens.chart.getData({ id: ID, timeframe: '1H' })?.seq).toBe(2)
    expect(cache.tokens.holders.getData({ id: ID })).toBeUndefined()
    expect(cache.tokens.chart.getData({ id: ID, timeframe: 'ALL' })).toBeUndefined()
  })

  it('once, however often they are applied', () => {
    cache.tokens.get.setData({ id: ID }, token())
    applyToToken(ID, [tradeEvent({ seq: 1 })])
    applyToToken(ID, [tradeEvent({ seq: 1 })])
    expect(cache.tokens.get.getData({ id: ID })?.totalTrades).toBe(1)
  })

  it('and what is not on the screen is forgotten when one is missing, so that it is fetched when it is', () => {
    cache.tokens.get.setData({ id: ID }, token())
    cache.tokens.trades.setData({ id: ID }, [])
    cache.tokens.chart.setData({ id: ID, timeframe: 'ALL' }, chart())
    applyToToken(ID, [tradeEvent({ seq: 5 }), tradeEvent({ seq: 6 })])
    expect(cache.tokens.get.getData({ id: ID })).toBeUndefined()
    expect(cache.tokens.trades.getData({ id: ID })).toBeUndefined()
    expect(cache.tokens.chart.getData({ id: ID, timeframe: 'ALL' })).toBeUndefined()
  })
})

describe('a feed begins', () => {
  it('where the part of a token that knows least ends', () => {
    expect(knownSeq(ID)).toBeNull()
    cache.tokens.get.setData({ id: ID }, token({ seq: 9 }))
    cache.tokens.chart.setData({ id: ID, timeframe: 'ALL' }, chart({ seq: 6 }))
    expect(knownSeq(ID)).toBe(6)
  })
})
