import { createRandom } from '../random.ts'
import { computeLifetime, type TokenPlan } from './market-plan.ts'

/** A launch or trade. */
export interface Moment {
  /** The token's number in the plan, from 1. */
  readonly token: number
  readonly isLaunch: boolean
  readonly atMs: number
}

/**
 * Max number of tokens, so that a time in ms and a token's number fit exactly into one float: 2^30 ms are twelve days.
 */
const TOKENS_MAX = 2 ** 22

/**
 * Yields all launches and trades of a planned market by time. A token's trades are spread evenly over its life. Uses
 * twelve bytes per trade, so ten million trades fit easily. The oldest token can be at most twelve days old.
 */
export function* marketMoments(tokens: readonly TokenPlan[], endMs: number): Generator<Moment> {
  const startMs = endMs - computeLifetime({ tokens }) - 1
  for (const packed of sortedMoments(tokens, endMs - startMs)) {
    const token = (packed % TOKENS_MAX) >> 1
    yield { token, isLaunch: packed % 2 === 0, atMs: startMs + Math.floor(packed / TOKENS_MAX) }
  }
}

function sortedMoments(tokens: readonly TokenPlan[], endMs: number): Float64Array {
  if (tokens.length >= TOKENS_MAX / 2) throw new RangeError('so many tokens do not fit')
  const random = createRandom(0xc10c)
  const moments = new Float64Array(tokens.reduce((sum, { trades }) => sum + trades + 1, 0))
  let next = 0
  for (const [i, { trades, ageMs }] of tokens.entries()) {
    const token = (i + 1) * 2
    const launchedMs = endMs - ageMs
    moments[next++] = launchedMs * TOKENS_MAX + token
    // Trades have odd numbers, so they sort after their token's launch in the same ms.
    for (let trade = 0; trade < trades; trade++) {
      moments[next++] = Math.floor(launchedMs + random() * ageMs) * TOKENS_MAX + token + 1
    }
  }
  return moments.sort()
}
