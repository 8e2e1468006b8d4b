import { chart, ID, launchEvent, token, tradeEvent, userId } from '@papermoon/live/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { cache, type TokenId } from '../../src/lib/api/api.ts'
import { queryClient } from '../../src/lib/api/query-client.ts'
import { applyToToken, knownSeq, shareKey } from '../../src/lib/live/live-cache.ts'
import { applyToMarket } from '../../src/lib/live/live-market.ts'
import { toChartInput } from '../../src/lib/market/chart-input.ts'
import { toListing } from '../../src/lib/market/listing.ts'

beforeEach(() => queryClient.clear())

describe('events update', () => {
  it('every listing, with everything that happened since', () => {
    const listings = [toListing('', 'newest'), toListing('paper', 'oldest'), toListing('goose', 'newest')]
    for (const listing of listings) {
      cache.tokens.list.setInfiniteData(listing, {
        pages: [{ tokens: [token()], nextCursor: null }],
        pageParams: [null],
      })
    }
    applyToMarket([tradeEvent({ seq: 1 }), launchEvent(8 as TokenId)])
    const seqs = listings.map((listing) =>
      cache.tokens.list.getInfiniteData(listing)?.pages.flatMap(({ tokens }) => tokens.map(({ id, seq }) => [id, seq])),
    )
    expect(seqs).toEqual([
      [
        [8, 0],
        [7, 1],
      ],
      [
        [7, 1],
        [8, 0],
      ],
      [[7, 1]],
    ])
  })

  it('the columns and the trade ticker, with the names that any part of the market knows', () => {
    const listing = toListing('', 'newest')
    const pages = [{ tokens: [token({ symbol: 'PAGE', emoji: '📄' })], nextCursor: null }]
    cache.tokens.list.setInfiniteData(listing, { pages, pageParams: [null] })
    cache.tokens.movers.setData(undefined, { fresh: [], rising: [token()], hot: [token()] })
    cache.tokens.tape.setData(undefined, [])
    const stale = applyToMarket([tradeEvent({ seq: 1 }), tradeEvent({ seq: 2 })])
    expect(stale).toEqual({ listing: false, tradeTicker: false })
    const movers = cache.tokens.movers.getData()
    expect([movers?.rising[0]?.seq, movers?.hot[0]?.seq]).toEqual([2, 2])
    expect(cache.tokens.tape.getData()).toMatchObject([
      { seq: 2, tokenSymbol: 'MOON', username: 'player 2' },
      { seq: 1, tokenSymbol: 'MOON' },
    ])
    // No query knows the name of this token, so only the server can provide it.
    expect(applyToMarket([tradeEvent({ seq: 9, tokenId: 99 as TokenId })]).tradeTicker).toBe(true)
    expect(cache.tokens.tape.getData()).toHaveLength(2)
  })

  it('the shares that the page shows, and no others', () => {
    queryClient.setQueryData(shareKey(ID, userId(2)), null)
    applyToToken(ID, [tradeEvent({ seq: 1, holding: '12345678.9' })])
    expect(queryClient.getQueryData(shareKey(ID, userId(2)))).toBe('1.23')
    queryClient.clear()
    applyToToken(ID, [tradeEvent({ seq: 2 })])
    expect(queryClient.getQueryCache().getAll()).toEqual([])
  })

  it('every cached part of a token, and no part that is not cached', () => {
    cache.tokens.get.setData({ id: ID }, token())
    cache.tokens.trades.setData({ id: ID }, [])
    cache.tokens.chart.setData(toChartInput(ID, '1H'), chart({ timeframe: '1H' }))
    applyToToken(ID, [tradeEvent({ seq: 1 }), tradeEvent({ seq: 2 })])
    expect(cache.tokens.get.getData({ id: ID })?.seq).toBe(2)
    expect(cache.tokens.trades.getData({ id: ID })?.map(({ seq }) => seq)).toEqual([2, 1])
    expect(cache.tokens.chart.getData(toChartInput(ID, '1H'))?.seq).toBe(2)
    expect(cache.tokens.holders.getData({ id: ID })).toBeUndefined()
    expect(cache.tokens.chart.getData(toChartInput(ID, 'ALL'))).toBeUndefined()
  })

  it('the observers of a query only once for all events', () => {
    cache.tokens.get.setData({ id: ID }, token())
    let notifications = 0
    const stop = queryClient.getQueryCache().subscribe(({ type }) => {
      if (type === 'updated') notifications++
    })
    applyToToken(ID, [tradeEvent({ seq: 1 }), tradeEvent({ seq: 2 }), tradeEvent({ seq: 3 })])
    stop()
    expect(cache.tokens.get.getData({ id: ID })?.totalTrades).toBe(3)
    expect(notifications).toBe(1)
  })

  it('the marks of the creator’s trades, even if a flood pushes them out of the list at once', () => {
    const { creator } = token()
    cache.tokens.get.setData({ id: ID }, token())
    cache.tokens.trades.setData({ id: ID }, [])
    cache.tokens.markedTrades.setData({ id: ID }, [])
    const [first, ...others] = Array.from({ length: 60 }, (_, i) => tradeEvent({ seq: i + 1 }))
    if (first?.type !== 'trade') throw new Error('no trade')
    const creators = { ...first, trade: { ...first.trade, userId: creator.id } }
    applyToToken(ID, [creators, ...others])
    expect(cache.tokens.trades.getData({ id: ID })?.at(-1)?.seq).toBe(11)
    expect(cache.tokens.markedTrades.getData({ id: ID })?.map(({ seq }) => seq)).toEqual([1])
  })

  it('a full list of holders by dropping it, if a holder may have left', () => {
    const full = Array.from({ length: 20 }, (_, index) => {
      const amount = String(100 - index)
      return { userId: userId(index + 1), username: `player ${index + 1}`, isBot: false, rank: index + 1, amount }
    })
    cache.tokens.get.setData({ id: ID }, token())
    cache.tokens.holders.setData({ id: ID }, full)
    applyToToken(ID, [tradeEvent({ seq: 1, trader: 3, holding: '1' })])
    expect(cache.tokens.holders.getData({ id: ID })).toBeUndefined()
    expect(cache.tokens.get.getData({ id: ID })?.seq).toBe(1)
  })

  it('queries that are not on screen by dropping them, after a gap', () => {
    cache.tokens.get.setData({ id: ID }, token())
    cache.tokens.trades.setData({ id: ID }, [])
    cache.tokens.chart.setData(toChartInput(ID, 'ALL'), chart())
    applyToToken(ID, [tradeEvent({ seq: 5 }), tradeEvent({ seq: 6 })])
    expect(cache.tokens.get.getData({ id: ID })).toBeUndefined()
    expect(cache.tokens.trades.getData({ id: ID })).toBeUndefined()
    expect(cache.tokens.chart.getData(toChartInput(ID, 'ALL'))).toBeUndefined()
  })
})

describe('a feed starts', () => {
  it('after the oldest of the token’s cached queries', () => {
    expect(knownSeq(ID)).toBeNull()
    cache.tokens.get.setData({ id: ID }, token({ seq: 9 }))
    cache.tokens.chart.setData(toChartInput(ID, 'ALL'), chart({ seq: 6 }))
    expect(knownSeq(ID)).toBe(6)
  })
})
