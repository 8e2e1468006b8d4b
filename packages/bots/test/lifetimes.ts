import { DemoMarket, type MarketEvent, simulate } from '../src/index.ts'
import { DAY_MS, LAUNCH_PRICE } from '../src/market/figures.ts'

/** How long tokens lived, as shares of all tokens that could be watched for that long. */
interface Lifetimes {
  readonly tokens: number
  /** By number of days: the share whose last trade came within these days of the launch. */
  readonly within: ReadonlyMap<number, number>
  /** By factor: the share whose price reached at least this many times the first price. */
  readonly reached: ReadonlyMap<number, number>
  readonly launchesPerDay: number
  readonly rugsPerDay: number
  readonly secondsPerTrade: number
  /** Seconds between trades in the quietest and in the busiest three hours of the day. */
  readonly quietest: number
  readonly busiest: number
  /** SOL that the house grants per day in total, and the most that one bot got in a day. */
  readonly grantsPerDay: number
  readonly mostGrantedInADay: number
}

const LIFETIME_DAYS = [1, 2, 3, 7] as const
const REACHED_FACTORS = [1_000] as const

interface Life {
  readonly launchedMs: number
  lastMs: number
  top: number
}

const BLOCK_MS = DAY_MS / 8

/** Lets the house bots trade among themselves for `days`, and measures what became of their tokens. */
export function measureLifetimes({ seed, days }: { readonly seed: number | string; readonly days: number }): Lifetimes {
  const market = new DemoMarket({ seed, startMs: 0, warmUpMs: 0 })
  const lives = new Map<number, Life>()
  const blocks = new Float64Array(8)
  let rugs = 0
  const onEvent = (event: MarketEvent) => {
    if (event.type === 'rug') rugs++
    else if (event.type === 'launch') lives.set(event.tokenId, { launchedMs: event.atMs, lastMs: event.atMs, top: 1 })
    else if (event.type === 'trade') {
      const block = Math.floor((event.atMs % DAY_MS) / BLOCK_MS)
      blocks[block] = (blocks[block] ?? 0) + 1
      const life = lives.get(event.tokenId)
      if (life === undefined) return
      life.lastMs = event.atMs
      life.top = Math.max(life.top, event.solReserve / event.tokenReserve / LAUNCH_PRICE)
    }
  }
  const untilMs = days * DAY_MS
  simulate({ actors: market.actors, venue: market.venue, fromMs: 0, untilMs, onEvent })
  // Leave out tokens launched in the last week, because they could not be watched for a week.
  const watched = [...lives.values()].filter(({ launchedMs }) => launchedMs < untilMs - 7 * DAY_MS)
  const share = (is: (life: Life) => boolean) => watched.filter(is).length / watched.length
  const toSeconds = (trades: number) => (BLOCK_MS / 1000) * (days / trades)
  return {
    tokens: watched.length,
    within: new Map(LIFETIME_DAYS.map((day) => [day, share((life) => life.lastMs - life.launchedMs <= day * DAY_MS)])),
    reached: new Map(REACHED_FACTORS.map((factor) => [factor, share((life) => life.top >= factor)])),
    launchesPerDay: lives.size / days,
    rugsPerDay: rugs / days,
    secondsPerTrade: untilMs / 1000 / blocks.reduce((sum, trades) => sum + trades, 0),
    quietest: toSeconds(Math.min(...blocks)),
    busiest: toSeconds(Math.max(...blocks)),
    grantsPerDay: market.treasurer.total / days,
    mostGrantedInADay: market.treasurer.mostPerDay,
  }
}
