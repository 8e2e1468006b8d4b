import { DAY_MS } from '../market/figures.ts'
import type { SealRequest } from '../market/seal.ts'
import type { MarketView, SelfView } from '../market/views.ts'
import type { Decision } from '../orders.ts'
import type { Random } from '../random/random.ts'
import type { StrategyView } from './strategy.ts'
import { drawSize } from './temper.ts'

/** Min time between two launches by one bot, in ms. */
const PAUSE_MS = DAY_MS
/**
 * Chance that a bot launches a token when it looks at a quiet market, and the factor for this chance in a busy market.
 */
const INSPIRATION = 0.06
const INSPIRATION_WHEN_BUSY = 0.04
/** Min number of young tokens in a busy market. */
const YOUNG_TOKENS = 3
/** SOL that must remain after a launch. */
const RESERVE_SOL = 5
/**
 * Part of all launches that are sealed, part of these seals that include the creator's tokens, and possible durations.
 * These are assumptions.
 */
const SEALED_SHARE = 0.5
const WITH_BAG_SHARE = 0.5
const TERMS = ['hour', 'day', 'day', 'week', 'ever'] as const

interface LaunchView extends Omit<StrategyView, 'token'> {
  readonly isHonest: boolean
}

/**
 * Returns a launch, or null if the bot does not want to launch. A launch is possible even if the market has no tokens.
 */
export function considerLaunch(
  { market, temper, story, isHonest }: LaunchView,
  self: SelfView,
  random: Random,
  nowMs: number,
): Decision | null {
  if (nowMs - self.lastLaunchAtMs < PAUSE_MS || self.balance < RESERVE_SOL || !random.chance(INSPIRATION)) return null
  if (isBusy(market, nowMs) && !random.chance(INSPIRATION_WHEN_BUSY)) return null
  const initialBuy = Math.min(drawSize(temper, random) * 2, self.balance / 10)
  return { kind: 'launch', story, initialBuy, ...drawSeal(random, isHonest) }
}

/** Draws the seal of a launch, or none. A bot that plans a rug pull seals the token for an hour and waits. */
export function drawSeal(random: Random, isHonest: boolean): { readonly seal?: SealRequest } {
  if (!random.chance(SEALED_SHARE)) return {}
  return {
    seal: isHonest ? { term: random.pick(TERMS), bag: random.chance(WITH_BAG_SHARE) } : { term: 'hour', bag: false },
  }
}

function isBusy({ tokens }: MarketView, nowMs: number): boolean {
  let young = 0
  for (const { isRugged, createdAtMs } of tokens) if (!isRugged && nowMs - createdAtMs < DAY_MS) young++
  return young >= YOUNG_TOKENS
}
