import { createRandom, shuffled } from '../random.ts'

const DAY_MS = 86_400_000
/** From the first launch to the last trade. */
const SPAN_MS = 7 * DAY_MS
/** The youngest token has had some time to be traded. */
const AGE_MIN_MS = 10 * 60_000

/** Of a market that is soon made anew. */
const KEPT_MS = 3 * 3_600_000

/** What a token of a made market has behind it. */
export interface TokenPlan {
  readonly trades: number
  /** From its launch to the end of the journal. */
  readonly ageMs: number
}

/** A market to make: who plays, and each token, the oldest first. */
export interface MarketPlan {
  /** Names its folder. */
  readonly name: string
  readonly players: number
  readonly tokens: readonly TokenPlan[]
  /** How often the first of `tokens` are there: they are made once, and the rest are their copies, block after block. */
  readonly copies: number
  /** How old a kept market may be: after some hours nothing of its last day, or of the leaderboard's six hours, is left. */
  readonly keptMs: number
}

/** How large a market is. */
export interface MarketSize {
  readonly tokens: number
  readonly players: number
  readonly trades: number
}

/**
 * A market as they are: launches spread evenly over a week, and few tokens with most of the trades. The token of rank r has
 * a share of 1/r of them (Zipf's law), whatever its age.
 */
export function unevenMarket({ tokens, players, trades }: MarketSize, keptMs = KEPT_MS): MarketPlan {
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
  return { name: `uneven-${tokens}-${players}-${trades}`, players, tokens: plans, copies: 1, keptMs }
}

/** A market of so many copies of another: as large as is wanted in minutes, where each order computed would take an hour. */
export function copiedMarket(plan: MarketPlan, copies: number, keptMs: number): MarketPlan {
  const tokens = Array.from({ length: copies }, () => plan.tokens).flat()
  return { ...plan, name: `${plan.name}-times-${copies}`, tokens, copies, keptMs }
}

/** The part of a copied market that is made order by order. */
export function toOriginalPlan(plan: MarketPlan): MarketPlan {
  return { ...plan, tokens: plan.tokens.slice(0, plan.tokens.length / plan.copies) }
}

/** Ids of the two tokens that `agedMarket` is made for. */
export const OLD_TOKEN = 1
export const YOUNG_TOKEN = 2

/**
 * One token with as many trades as a market has in a week, and one of a day with few, whose chart has no fewer candles;
 * behind them small ones, to warm a server up with.
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
  return { name, players: size.players, tokens, copies: 1, keptMs: KEPT_MS }
}

/** The id of a plan's token with the most trades. */
export function busiestToken({ tokens }: MarketPlan): number {
  // Not by spreading them: so many arguments do not fit on the stack.
  const most = tokens.reduce((max, { trades }) => Math.max(max, trades), 0)
  return tokens.findIndex(({ trades }) => trades === most) + 1
}

/** From the first launch of a plan to its end, in ms. */
export function computeLifetime({ tokens }: Pick<MarketPlan, 'tokens'>): number {
  return tokens.reduce((max, { ageMs }) => Math.max(max, ageMs), 0)
}
