import type { TokenId } from '@papermoon/contract/ids'
import { describe, expect, it } from 'vitest'
import { patchChart, patchHolders, patchMovers, patchToken, patchTrades } from '../src/index.ts'
import { chart, holder, launchEvent, rugEvent, sealEvent, token, tradeEvent } from './support.ts'

describe('a token', () => {
  it('gets price, market cap, pool, change, volume and count from the next trade', () => {
    const { data, stale } = patchToken(token({ volume24h: '0.1' }), tradeEvent({ seq: 1, volume: '0.2' }))
    expect(stale).toBe(false)
    expect(data).toMatchObject({
      currentPrice: '0.00000004',
      marketCap: '40',
      pool: { solReserve: '31' },
      priceChange24h: '33.33',
      volume24h: '0.3',
      totalTrades: 1,
      seq: 1,
    })
  })

  it('stays the same object for a known event and for another token’s event', () => {
    const known = token({ seq: 5 })
    expect(patchToken(known, tradeEvent({ seq: 5 })).data).toBe(known)
    expect(patchToken(known, tradeEvent({ seq: 6, tokenId: 8 as TokenId })).data).toBe(known)
  })

  it('is stale if an event was missed', () => {
    expect(patchToken(token({ seq: 1 }), tradeEvent({ seq: 3 })).stale).toBe(true)
  })

  it('tracks how many tokens its creator holds', () => {
    expect(patchToken(token(), tradeEvent({ seq: 1, trader: 1, holding: '7' })).data.creatorHolding).toBe('7')
    expect(patchToken(token(), tradeEvent({ seq: 1, trader: 2, holding: '7' })).data.creatorHolding).toBe('0')
  })

  it('closes at zero after a rug pull', () => {
    const { data } = patchToken(token({ seq: 1 }), rugEvent(2))
    expect(data).toMatchObject({ currentPrice: '0', marketCap: '0', priceChange24h: '-100', seq: 2 })
    expect(data.ruggedAt).toBe('2026-01-01T01:00:00.000Z')
    expect(data.pool).toMatchObject({ solReserve: '0', realSol: '0' })
  })
})

describe('a token’s seal', () => {
  const HOUR = '2026-01-01T01:00:00.000Z'
  const DAY = '2026-01-02T00:00:00.000Z'

  it('is shown when it is new, and when it was extended', () => {
    const sealed = patchToken(token({ seq: 5 }), sealEvent({ liquidityUntil: HOUR }))
    expect(sealed).toMatchObject({ stale: false, data: { seq: 5, seal: { liquidityUntil: HOUR, bagUntil: null } } })
    const renewed = patchToken(sealed.data, sealEvent({ liquidityUntil: DAY, bagUntil: DAY, bagTokens: '10' }))
    expect(renewed.data.seal).toEqual({ liquidityUntil: DAY, bagUntil: DAY, bagTokens: '10' })
  })

  it('is never shortened by an older event, and a repeated one changes nothing', () => {
    const { data } = patchToken(token(), sealEvent({ liquidityUntil: DAY }))
    expect(patchToken(data, sealEvent({ liquidityUntil: HOUR })).data).toBe(data)
    expect(patchToken(data, sealEvent({ liquidityUntil: DAY })).data).toBe(data)
  })

  it('includes tokens that were added for the same time', () => {
    const { data } = patchToken(token(), sealEvent({ liquidityUntil: DAY }))
    const seal = { liquidityUntil: DAY, bagUntil: DAY, bagTokens: '10' }
    expect(patchToken(data, sealEvent(seal)).data.seal).toEqual(seal)
  })

  it('includes the same tokens for longer, or more tokens for as long, but never less', () => {
    const end = { liquidityUntil: DAY, bagTokens: '10' }
    const { data: hour } = patchToken(token(), sealEvent({ ...end, bagUntil: HOUR }))
    const { data: day } = patchToken(hour, sealEvent({ ...end, bagUntil: DAY }))
    expect(day.seal?.bagUntil).toBe(DAY)
    expect(patchToken(day, sealEvent({ ...end, bagUntil: HOUR, bagTokens: '11' })).data).toBe(day)
    expect(patchToken(day, sealEvent({ ...end, bagUntil: DAY, bagTokens: '11' })).data.seal?.bagTokens).toBe('11')
  })

  it('changes nothing but the token', () => {
    const [before, event] = [chart(), sealEvent({ liquidityUntil: DAY })]
    expect(patchChart(before, event).data).toBe(before)
    expect(patchToken(token({ id: 8 as TokenId }), event).data.seal).toBeNull()
  })

  it('is added from an event if the server’s response did not contain seals', () => {
    const { seal: _, ...older } = token()
    const { data } = patchToken(older as ReturnType<typeof token>, sealEvent({ liquidityUntil: DAY }))
    expect(data.seal).toEqual({ liquidityUntil: DAY, bagUntil: null, bagTokens: '0' })
  })
})

describe('the trades', () => {
  it('start with the newest, without duplicates, at most 50', () => {
    const fifty = Array.from({ length: 50 }, (_, index) => tradeEvent({ seq: 50 - index }).trade)
    const patched = patchTrades(fifty, tradeEvent({ seq: 51 }))
    expect(patched[0]?.seq).toBe(51)
    expect(patched).toHaveLength(50)
    expect(patchTrades(patched, tradeEvent({ seq: 51 }))).toBe(patched)
  })
})

describe('the holders', () => {
  it('are updated by the trader’s holding and ranked again', () => {
    const { data } = patchHolders(
      [holder(1, '900', 1), holder(2, '50', 2)],
      tradeEvent({ seq: 1, trader: 2, holding: '1000.5' }),
    )
    expect(data.map(({ userId, rank, amount }) => [userId, rank, amount])).toEqual([
      [2, 1, '1000.5'],
      [1, 2, '900'],
    ])
  })

  it('drop a player who sold everything', () => {
    const { data } = patchHolders([holder(1, '100')], tradeEvent({ seq: 1, trader: 1, holding: '0' }))
    expect(data).toEqual([])
  })

  it('are stale when a holding in a full list shrinks, since the next largest is unknown', () => {
    const full = Array.from({ length: 20 }, (_, index) => holder(index + 1, String(100 - index), index + 1))
    const sold = patchHolders(full, tradeEvent({ seq: 1, trader: 3, holding: '1' }))
    const bought = patchHolders(full, tradeEvent({ seq: 1, trader: 3, holding: '500' }))
    expect(sold.stale).toBe(true)
    expect(bought.stale).toBe(false)
    expect(bought.data).toHaveLength(20)
  })
})

describe('a chart', () => {
  it('updates the forming candle', () => {
    const first = patchChart(chart(), tradeEvent({ seq: 1, price: '5', createdAt: '2026-01-01T00:00:10.000Z' })).data
    const { data } = patchChart(first, tradeEvent({ seq: 2, price: '3', createdAt: '2026-01-01T00:00:50.000Z' }))
    expect(data.candles).toEqual([
      { time: '2026-01-01T00:00:00.000Z', open: '0.00000003', high: '5', low: '0.00000003', close: '3', volume: '2' },
    ])
  })

  it('opens a candle at the close of the previous one', () => {
    const first = patchChart(chart(), tradeEvent({ seq: 1, price: '5', createdAt: '2026-01-01T00:00:10.000Z' })).data
    const { data } = patchChart(first, tradeEvent({ seq: 2, price: '6', createdAt: '2026-01-01T00:01:00.000Z' }))
    expect(data.candles).toHaveLength(2)
    expect(data.candles[1]).toMatchObject({
      time: '2026-01-01T00:01:00.000Z',
      open: '5',
      high: '6',
      low: '5',
      close: '6',
    })
  })

  it('keeps the last 50 ticks and updates high, low, change and count', () => {
    let patched = chart({
      high: '2',
      low: '1',
      ticks: [{ seq: 0, time: '2026-01-01T00:00:00.000Z', price: '1.5', side: 'buy' }],
    })
    for (let seq = 1; seq <= 60; seq += 1) patched = patchChart(patched, tradeEvent({ seq, price: `${seq}` })).data
    expect(patched.ticks).toHaveLength(50)
    expect(patched.ticks.at(-1)).toMatchObject({ seq: 60, price: '60' })
    expect(patched).toMatchObject({ high: '60', low: '1', change24h: '199999999900', totalTrades: 60, seq: 60 })
  })

  it('ignores known events and is stale after a gap', () => {
    const known = chart({ seq: 4 })
    expect(patchChart(known, tradeEvent({ seq: 4 }))).toEqual({ data: known, stale: false })
    expect(patchChart(known, tradeEvent({ seq: 6 })).stale).toBe(true)
  })
})

describe('the movers', () => {
  const other = token({ id: 8 as TokenId })
  const movers = { fresh: [other, token()], rising: [token()], hot: [other] }

  it('update a traded token in every column, and nothing else', () => {
    const { data, stale } = patchMovers(movers, [tradeEvent({ seq: 1 })])
    expect([data.fresh[1]?.seq, data.rising[0]?.seq, stale]).toEqual([1, 1, false])
    expect([data.fresh[0], data.hot]).toEqual([other, movers.hot])
    expect(patchMovers(movers, [tradeEvent({ seq: 1, tokenId: 99 as TokenId })])).toEqual({
      data: movers,
      stale: false,
    })
  })

  it('start with a launched token, once, and are stale since its event is incomplete', () => {
    const { data, stale } = patchMovers(movers, [launchEvent(9 as TokenId)])
    expect([data.fresh.map(({ id }) => id), stale]).toEqual([[9, 8, 7], true])
    expect(patchMovers(data, [launchEvent(9 as TokenId)])).toEqual({ data, stale: false })
  })

  it('are stale after a rug pull, which removes the token from the movers', () => {
    expect(patchMovers(movers, [rugEvent(1)])).toMatchObject({ stale: true, data: { rising: [{ currentPrice: '0' }] } })
  })
})
