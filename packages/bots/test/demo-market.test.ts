import { describe, expect, it } from 'vitest'
import { CHARACTERS, DemoMarket, HOUSE_GRANT_MAX_SOL, type MarketEvent, simulate } from '../src/index.ts'
import { watchFirstMinutes } from './first-minutes.ts'
import { measureLifetimes } from './lifetimes.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const LAUNCHES = 200

const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN

describe('the demo world', () => {
  it('runs for ten minutes: bots trade, prices move both ways with room left, and nobody is ruined', () => {
    const market = new DemoMarket({ seed: 'ten minutes', startMs: -150 * HOUR_MS, warmUpMs: 168 * HOUR_MS })
    const events: MarketEvent[] = []
    const { actors, venue, fromMs } = market
    simulate({ actors, venue, fromMs, untilMs: fromMs + 10 * MINUTE_MS, onEvent: (event) => void events.push(event) })
    const trades = events.filter((event) => event.type === 'trade')
    expect(trades.length).toBeGreaterThanOrEqual(200)
    expect(new Set(trades.map(({ tokenId }) => tokenId)).size).toBeGreaterThanOrEqual(3)
    expect(new Set(trades.map(({ userId }) => userId)).size).toBeGreaterThanOrEqual(15)
    const buys = trades.filter(({ side }) => side === 'buy').length
    expect(buys).toBeGreaterThan(trades.length / 5)
    expect(buys).toBeLessThan((trades.length * 4) / 5)
    const sizes = trades.map(({ sol }) => sol).sort((a, b) => a - b)
    expect(quantile(sizes, 0.5)).toBeGreaterThanOrEqual(0.3)
    // A buy of 10 SOL moves the price of the ten largest tokens by at most 15 %.
    const reserves = [...market.fleet.market.tokens].filter(({ isRugged }) => !isRugged).map((it) => it.solReserve)
    const [tenth = 0] = reserves.sort((a, b) => b - a).slice(9)
    expect(((tenth + 10) / tenth) ** 2).toBeLessThanOrEqual(1.15)
    for (const index of CHARACTERS.keys()) {
      expect(venue.balance(index + 1) + venue.cashOut([index + 1])).toBeGreaterThan(10)
    }
  })

  it('trades a stranger’s token within 20 s in the median and 60 s at p95, and in both directions within ten minutes', {
    tags: 'nightly',
  }, () => {
    const watched = Array.from({ length: LAUNCHES }, (_, index) =>
      watchFirstMinutes({ seed: `launch ${index}`, hour: index % 24, initialBuy: index % 2 === 0 ? 0.05 : 1 }),
    )
    const answers = watched.map(({ answerMs }) => answerMs / 1000).sort((a, b) => a - b)
    expect(quantile(answers, 0.5)).toBeLessThanOrEqual(20)
    expect(quantile(answers, 0.95)).toBeLessThanOrEqual(60)
    const bothWays = watched.filter(({ ups, downs }) => ups > 0 && downs > 0).length
    expect(bothWays).toBeGreaterThanOrEqual(LAUNCHES * 0.9)
  })

  it('has a trade at least every 3 s over a day, fewer at night; most tokens die, a few rise, and grants stay limited', () => {
    const measured = measureLifetimes({ seed: 'two weeks', days: 14 })
    expect(measured.secondsPerTrade).toBeLessThanOrEqual(3)
    expect(measured.quietest).toBeGreaterThan(measured.busiest * 1.3)
    expect(measured.launchesPerDay).toBeGreaterThanOrEqual(2)
    expect(measured.launchesPerDay).toBeLessThanOrEqual(8)
    expect(measured.rugsPerDay).toBeLessThan(measured.launchesPerDay / 3)
    expect(measured.within.get(1)).toBeGreaterThan(0.55)
    expect(measured.within.get(7)).toBeLessThan(1)
    expect(measured.reached.get(1_000)).toBeLessThan(0.2)
    expect(measured.mostGrantedInADay).toBeLessThanOrEqual(HOUSE_GRANT_MAX_SOL)
    expect(measured.grantsPerDay).toBeLessThanOrEqual((CHARACTERS.length * HOUSE_GRANT_MAX_SOL) / 4)
  })
})
