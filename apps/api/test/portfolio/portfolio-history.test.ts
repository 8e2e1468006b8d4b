import { Decimal } from '@papermoon/amm'
import { HISTORY_POINTS_MAX, HISTORY_TIMEFRAMES, WORTH_PARTS_MAX } from '@papermoon/contract/portfolio'
import type { TokenId, UserId } from '@papermoon/engine'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { getPortfolioSummary } from '../../src/features/portfolio/get.ts'
import { getHistory, readNetWorth } from '../../src/features/portfolio/history/history.ts'
import { worthByRows } from '../support/expected-worth.ts'
import { anyActions, playEach, shareTurnedMarket } from '../support/turned-market.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Max rounding error in SOL of the pools' products, in markets this small. */
const DUST = new Decimal('0.0000002')

type Timeframe = (typeof HISTORY_TIMEFRAMES)[number]

const market = await shareTurnedMarket()

async function addPlayers(count: number): Promise<UserId[]> {
  const players: UserId[] = []
  for (let place = 0; place < count; place++) players.push(await market.addPlayer())
  return players
}

describe('a net worth over time', () => {
  let player: UserId
  let other: UserId
  beforeEach(async () => {
    // Start each test half a minute after a full hour.
    market.passTime(HOUR_MS + 30_500 - (market.clock.now().getTime() % HOUR_MS))
    const [first, second] = await addPlayers(2)
    if (first === undefined || second === undefined) throw new Error('two players')
    player = first
    other = second
  })
  const read = (timeframe: Timeframe = 'ALL') => getHistory({ app: market, ip: '' }, player, { timeframe })

  it('starts with the first SOL, which is the only point of a new player', async () => {
    const begin = market.clock.now()
    market.passTime(1)
    expect((await read()).points).toEqual([{ time: market.clock.now().toISOString(), netWorth: '100', balance: '100' }])
    market.passTime(90_000)
    const { since, points } = await read()
    expect(Date.parse(since)).toBe(begin.getTime() + 1)
    expect(points.map(({ netWorth }) => netWorth)).toEqual(points.map(() => '100'))
    expect(points.map(({ time }) => time.slice(14))).toEqual(['00:30.501Z', '01:00.000Z', '02:00.000Z', '02:00.501Z'])
  })

  it.each([
    ['24H', DAY_MS, 15 * MINUTE_MS],
    ['7D', 7 * DAY_MS, 2 * HOUR_MS],
    ['30D', 30 * DAY_MS, 8 * HOUR_MS],
    ['ALL', 250 * DAY_MS, 3 * DAY_MS],
  ] as const)('has about 100 points of %s, in even steps, whatever happened before', async (timeframe, span, step) => {
    const tokenId = await market.launch(other)
    await market.buy(player, tokenId, '5')
    market.passTime(250 * DAY_MS)
    const { points, since } = await read(timeframe)
    expect(points.length).toBeGreaterThan(80)
    expect(points.length).toBeLessThanOrEqual(HISTORY_POINTS_MAX + 1)
    expect(points[0]?.time).toBe(since)
    const late = market.clock.now().getTime() - span - Date.parse(since)
    expect(Math.abs(late)).toBeLessThan(step)
    const times = points.slice(1, -1).map(({ time }) => Date.parse(time))
    expect(
      times.every((time, place) => time % step === 0 && (place === 0 || time - (times[place - 1] ?? 0) === step)),
    ).toBe(true)
    const { netWorth } = await worthByRows(market, player)
    const held = timeframe === 'ALL' ? points.slice(1) : points
    expect(held.every((point) => point.balance === '95' && netWorth.sub(point.netWorth).abs().lt(DUST))).toBe(true)
  })

  it('starts later and says so if a player has more trades than one history reads', async () => {
    const tokenId = await market.launch(other)
    for (let trade = 0; trade < 30; trade++) {
      await market.buy(player, tokenId, '1')
      market.passTime(10 * MINUTE_MS)
    }
    const whole = await read()
    const { since, points } = await getHistory(
      { app: market, ip: '' },
      player,
      { timeframe: 'ALL' },
      { tradesMax: 12, statementTimeoutMs: 2_000 },
    )
    const late = market.clock.now().getTime() - Date.parse(since)
    expect(late).toBeGreaterThan(11 * 10 * MINUTE_MS)
    expect(late).toBeLessThanOrEqual(13 * 10 * MINUTE_MS)
    // Where both histories have a point, it is the same.
    const told = new Map(points.map((point) => [point.time, point]))
    const both = whole.points.filter(({ time }) => told.has(time))
    expect(both.length).toBeGreaterThan(10)
    expect(both.map(({ time }) => told.get(time))).toEqual(both)
  })

  it('has only the current point if reading the past takes too long', async () => {
    const tokenId = await market.launch(other)
    await market.buy(player, tokenId, '5')
    market.passTime(HOUR_MS)
    // This lock blocks every reader of candles and nothing else.
    await market.db.transaction().execute(async (tx) => {
      await sql`lock table closed_candles in access exclusive mode`.execute(tx)
      const { netWorth } = await worthByRows(market, player)
      const now = market.clock.now().toISOString()
      expect(
        await getHistory(
          { app: market, ip: '' },
          player,
          { timeframe: 'ALL' },
          { tradesMax: 10, statementTimeoutMs: 100 },
        ),
      ).toEqual({
        timeframe: 'ALL',
        since: now,
        grantedBefore: '100',
        points: [{ time: now, netWorth: netWorth.toFixed(), balance: '95' }],
      })
    })
  })

  it('names the largest holdings and sums the others', async () => {
    const tokens: TokenId[] = []
    for (let place = 0; place < WORTH_PARTS_MAX + 2; place++) {
      const tokenId = await market.launch(place === 0 ? player : other)
      tokens.push(tokenId)
      await market.buy(player, tokenId, String(1 + place))
    }
    const told = await readNetWorth(market, player)
    expect(told.largest.map(({ tokenId }) => tokenId)).toEqual(tokens.slice(2).reverse())
    expect(told).toMatchObject({ holdings: WORTH_PARTS_MAX + 2, ownPools: '0.997', balance: '44.98' })
    // The player's holding of their own token counts as part of its pool, not as a holding.
    expect(told).toMatchObject({ openPools: 1, ownTokens: [tokens[0]], ownBags: '0.994008999', othersCount: 1 })
    const sum = (texts: readonly string[]) => texts.reduce((total, text) => total.add(text), new Decimal(0)).toFixed()
    expect(sum([...told.largest.map((part) => part.cashOutValue), told.others])).toBe(told.cashOutValue)
    expect(sum([told.balance, told.cashOutValue, told.ownPools])).toBe(told.netWorth)
    expect(told.netWorth).toBe((await worthByRows(market, player)).netWorth.toFixed())
  })
})

describe('a history of any market', () => {
  it('matches recorded balances and the current net worth exactly, and past net worth except for rounding', async () => {
    await fc.assert(
      fc.asyncProperty(anyActions, async (actions) => {
        const players = await addPlayers(3)
        const recorded: { time: number; worth: Map<UserId, { balance: Decimal; netWorth: Decimal }> }[] = []
        const record = async () => {
          const worth = new Map<UserId, { balance: Decimal; netWorth: Decimal }>()
          for (const player of players) worth.set(player, await worthByRows(market, player))
          recorded.push({ time: market.clock.now().getTime(), worth })
        }
        await record()
        // Without this millisecond, an action could have the time of the registration, and no candle could separate the
        // two.
        market.passTime(1)
        await playEach(market, { players, actions, look: record })
        market.passTime(7 * MINUTE_MS)
        await record()
        for (const player of players) {
          for (const timeframe of HISTORY_TIMEFRAMES) {
            const { points } = await getHistory({ app: market, ip: '' }, player, { timeframe })
            for (const [place, point] of points.entries()) {
              const isLive = place === points.length - 1
              const at = Date.parse(point.time)
              const then = recorded.findLast(({ time }) => (isLive ? time <= at : time < at))?.worth.get(player)
              expect(point.balance).toBe(then?.balance.toFixed())
              const error = then?.netWorth.sub(point.netWorth).abs() ?? new Decimal(1)
              expect(error.lte(isLive ? 0 : DUST), `${timeframe} ${place} of ${points.length}: ${error}`).toBe(true)
            }
          }
          await expectOneDay(player)
        }
      }),
      { numRuns: 8, endOnFailure: true },
    )
  })

  /** Expects chart and summary to show exactly the same profit for 24 hours. */
  async function expectOneDay(player: UserId): Promise<void> {
    const { points, grantedBefore } = await getHistory({ app: market, ip: '' }, player, { timeframe: '24H' })
    const { granted } = await readNetWorth(market, player)
    const { profitLoss24h } = await getPortfolioSummary(market, player)
    const gain = new Decimal(points.at(-1)?.netWorth ?? 0).sub(points[0]?.netWorth ?? 0)
    expect(profitLoss24h).toBe(gain.sub(granted).add(grantedBefore).toFixed())
  }
})
