import { DAY_MS, LAUNCH_TOKENS } from '../market/figures.ts'
import type { TokenView } from '../market/views.ts'
import type { Temper } from './temper.ts'

/**
 * Exponent of the part of the supply that the creator does not hold. If the creator holds 8 % of the supply, half of
 * the trust is left.
 */
const HELD_EXPONENT = 8
/** Max part by which a bot lowers its limits of gain, loss and time after a dump. */
const HASTE = 0.8

/**
 * Returns the temper with which a bot trades a stranger's token. The bot buys less if the creator holds much of the
 * token or launched others before it that day. For a day after the creator dumped another token, the bot buys nothing
 * and sells sooner.
 */
export function toWaryTemper(temper: Temper, token: TokenView, nowMs: number): Temper {
  const hasDumped = nowMs - token.creatorDumpedAtMs < DAY_MS
  const part = (hasDumped ? 0 : toTrust(token)) ** temper.caution
  const pace = hasDumped ? 1 - HASTE * temper.caution : 1
  return {
    ...temper,
    size: temper.size * part,
    bagMax: temper.bagMax * part,
    greed: temper.greed * pace,
    fear: temper.fear * pace,
    patienceMs: temper.patienceMs * pace,
  }
}

function toTrust({ creatorTokens, creatorLaunches }: TokenView): number {
  return (1 - creatorTokens / LAUNCH_TOKENS) ** HELD_EXPONENT / creatorLaunches
}
