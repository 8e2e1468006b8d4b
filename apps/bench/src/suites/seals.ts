import {
  type Actor,
  type BotOrder,
  DemoMarket,
  FIRST_STRANGER_ID,
  type MarketEvent,
  type SealWish,
  simulate,
} from '@papermoon/bots'
import type { Suite } from '../bench.ts'
import { type Measurement, toMeasurement } from '../report/measurement.ts'
import { median, quantile } from '../report/median.ts'
import { table } from '../report/table.ts'

const RUNS = 50
const QUICK_RUNS = 4
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** How long the market has lived before the first launch. */
const WARM_UP_MS = 12 * HOUR_MS
const WATCHED_MS = 20 * MINUTE_MS
const INITIAL_BUY_SOL = 1

interface Case {
  readonly name: string
  readonly seal?: SealWish
  /** Launches of one creator, an hour apart; the last is watched. */
  readonly launches: number
  /** SOL that others are to have in its pool in the median. */
  readonly least?: number
}

const CASES: readonly Case[] = [
  { name: 'sealed with its bag for a day', seal: { term: 'day', bag: true }, launches: 1, least: 5 },
  { name: 'the tenth such launch of a day', seal: { term: 'day', bag: true }, launches: 10, least: 2 },
  { name: 'liquidity alone sealed for a day', seal: { term: 'day', bag: false }, launches: 1 },
  { name: 'not sealed', launches: 1 },
]

/** A launch's first twenty minutes. */
interface Watched {
  /** SOL that others put into the pool less what they took out. */
  readonly sol: number
  readonly buys: number
  readonly sales: number
  readonly bots: number
  /** Longest time without a trade. */
  readonly silenceMs: number
}

export const seals: Suite = {
  name: 'seals',
  about: `what others have in a launch with a first buy of ${INITIAL_BUY_SOL} SOL after 20 minutes, by what its creator sealed`,
  async run({ isQuick, only, say }) {
    const cases = CASES.filter(({ name }) => name.includes(only))
    const watched = cases.map((one) => {
      const runs = Array.from({ length: isQuick ? QUICK_RUNS : RUNS }, (_, seed) => watchLaunch(one, seed))
      say(`  ${one.name}: ${median(runs.map(({ sol }) => sol)).toFixed(3)} SOL in the median of ${runs.length}`)
      return { one, runs }
    })
    const columns = ['launch', 'median SOL', 'lowest tenth', 'most', 'buys', 'sales', 'bots', 'longest silence, s']
    say(`\n${table(columns, watched.map(toRow))}`)
    return watched.map(toResult)
  },
}

interface WatchedCase {
  readonly one: Case
  readonly runs: readonly Watched[]
}

function toRow({ one, runs }: WatchedCase): string[] {
  const sols = runs.map(({ sol }) => sol)
  const inMedian = (pick: (run: Watched) => number) => median(runs.map(pick)).toFixed(0)
  return [
    one.name,
    ...[median(sols), quantile(sols, 0.1), Math.max(...sols)].map((sol) => sol.toFixed(3)),
    inMedian(({ buys }) => buys),
    inMedian(({ sales }) => sales),
    inMedian(({ bots }) => bots),
    inMedian(({ silenceMs }) => silenceMs / 1000),
  ]
}

function toResult({ one: { name, least }, runs }: WatchedCase): Measurement {
  const rounds = runs.map(({ sol }) => ({ subject: { sol }, baseline: { sol: least ?? 1 } }))
  return toMeasurement({ suite: 'seals', name, figure: 'sol', target: least === undefined ? null : { min: 1 }, rounds })
}

/** Launches as the case says, and watches the last token. The same case and seed give the same result. */
function watchLaunch({ seal, launches }: Case, seed: number): Watched {
  // Five hours apart, launches meet all hours of the day.
  const startMs = ((5 * seed) % 24) * HOUR_MS - WARM_UP_MS
  const market = new DemoMarket({ seed: `seals ${seed}`, startMs, warmUpMs: WARM_UP_MS })
  market.venue.grant(FIRST_STRANGER_ID, 100)
  const creator = new Creator({ fromMs: market.fromMs, launches, seal })
  const lastMs = market.fromMs + (launches - 1) * HOUR_MS
  const trades: Extract<MarketEvent, { type: 'trade' }>[] = []
  const onEvent = (event: MarketEvent) => {
    const isOther = event.type === 'trade' && event.tokenId === creator.tokenId && event.userId < FIRST_STRANGER_ID
    if (isOther && event.atMs >= lastMs) trades.push(event)
  }
  const untilMs = lastMs + WATCHED_MS
  const { venue, fromMs } = market
  simulate({ actors: [creator, ...market.actors], venue, fromMs, untilMs, onEvent })
  const moments = [lastMs, ...trades.map(({ atMs }) => atMs), untilMs]
  const buys = trades.filter(({ side }) => side === 'buy').length
  return {
    sol: trades.reduce((sum, { side, sol }) => sum + (side === 'buy' ? sol : -sol), 0),
    buys,
    sales: trades.length - buys,
    bots: new Set(trades.map(({ userId }) => userId)).size,
    silenceMs: Math.max(...moments.slice(1).map((atMs, index) => atMs - (moments[index] as number))),
  }
}

interface CreatorPlan {
  readonly fromMs: number
  readonly launches: number
  readonly seal: SealWish | undefined
}

/** A player who launches a token each hour, and does nothing else. */
class Creator implements Actor {
  readonly #plan: CreatorPlan
  #launches = 0
  nextAtMs: number
  /** The token launched last. */
  tokenId = 0

  constructor(plan: CreatorPlan) {
    this.#plan = plan
    this.nextAtMs = plan.fromMs
  }

  act(): BotOrder {
    const { launches, seal } = this.#plan
    this.#launches++
    this.nextAtMs = this.#launches < launches ? this.nextAtMs + HOUR_MS : Number.POSITIVE_INFINITY
    const story = { name: `Try ${this.#launches}`, symbol: `TRY${this.#launches}`, emoji: '🌱', description: '' }
    const launch = { kind: 'launch', userId: FIRST_STRANGER_ID, story, initialBuy: INITIAL_BUY_SOL } as const
    return { ...launch, ...(seal !== undefined && { seal }) }
  }

  observe(event: MarketEvent): void {
    if (event.type === 'launch' && event.creatorId === FIRST_STRANGER_ID) this.tokenId = event.tokenId
  }
}
