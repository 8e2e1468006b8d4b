import { createRandom, shuffled } from '../random.ts'

const DAY_MS = 86_400_000
/** Time from the first launch of a history to its last trade, in ms. */
const SPAN_MS = 7 * DAY_MS
/** Min age in ms of a history's youngest token. A token of this age had time for trades. */
const AGE_MIN_MS = 10 * 60_000
/** Max age in ms of a cached market, if it can be generated quickly. */
const KEPT_MS = 3 * 3_600_000

/** The history of a generated token. */
export interface TokenPlan {
  readonly trades: number
  /** Time from the token's launch to the end of the history, in ms. */
  readonly ageMs: number
}

/** A market to generate: its players, and its tokens from oldest to youngest. */
export interface MarketPlan {
  /** Name of the market's folder. */
  readonly name: string
  readonly players: number
  readonly tokens: readonly TokenPlan[]
  /** Number of histories that follow each other. Each history has these tokens. */
  readonly repeats: number
  /**
   * Max age of a cached market in ms. An older market would have no trades within the last day, or within the
   * leaderboard's six hours.
   */
  readonly keptMs: number
}

export interface MarketSize {
  readonly tokens: number
  readonly players: number
  readonly trades: number
}

/**
 * Plans a realistic market. Launches are spread evenly over a week. A few tokens have most of the trades: the token of
 * rank r has a share proportional to 1/r (Zipf's law), independently of its age.
 */
export function unevenMarket({ tokens, players, trades }: MarketSize): MarketPlan {
  const ranks = shuffled(
    Array.from({ length: tokens }, (_, i) => i + 1),
    createRandom(0x5eed),
  )
  const total = ranks.reduce((sum, rank) => sum + 1 / rank, 0)
  let share = 0
  const plans = ranks.map((rank, i): TokenPlan => {
    const before = Math.round((trades * share) / total)
    share += 1 / rank
    const ageMs = AGE_MIN_MS + Math.round(((SPAN_MS - AGE_MIN_MS) * (tokens - i)) / tokens)
    return { trades: Math.round((trades * share) / total) - before, ageMs }
  })
  return { name: `uneven-${tokens}-${players}-${trades}`, players, tokens: plans, repeats: 1, keptMs: KEPT_MS }
}

/** Ids of the two tokens of `agedMarket` that are measured. */
export const OLD_TOKEN = 1
export const YOUNG_TOKEN = 2

/**
 * Plans a market with three kinds of tokens: one with as many trades as a market has in a week, one that is a day old
 * and has few trades but as many candles, and small ones to warm up the server.
 */
export function agedMarket(size: {
  readonly old: number
  readonly young: number
  readonly others: number
  readonly players: number
}): MarketPlan {
  const others = Array.from({ length: size.others }, (): TokenPlan => ({ trades: 100, ageMs: DAY_MS }))
  const tokens = [{ trades: size.old, ageMs: SPAN_MS }, { trades: size.young, ageMs: DAY_MS }, ...others]
  const name = `aged-${size.old}-${size.young}-${size.others}-${size.players}`
  return { name, players: size.players, tokens, repeats: 1, keptMs: KEPT_MS }
}

/** Returns the number of tokens that a planned market has. */
export function countTokens({ tokens, repeats }: MarketPlan): number {
  return tokens.length * repeats
}

/**
 * Returns the id of the token that has the most trades. If several tokens have the most trades, returns the youngest of
 * them.
 */
export function busiestToken(plan: MarketPlan): number {
  // Do not use `Math.max(...)`, because so many arguments would overflow the stack.
  const most = plan.tokens.reduce((max, { trades }) => Math.max(max, trades), 0)
  return (
    countTokens({ ...plan, repeats: plan.repeats - 1 }) + plan.tokens.findLastIndex(({ trades }) => trades === most) + 1
  )
}
