import { createRandom } from '../random.ts'
import { computeLifetime, type TokenPlan } from './market-plan.ts'

/** A launch of a token, or a trade of it. */
export interface Moment {
  /** From 1, in the plan's order. */
  readonly token: number
  readonly isLaunch: boolean
  readonly atMs: number
}

/** A time in ms and a token fit into one exact float together: 2^30 ms are twelve days. */
const TOKENS_MAX = 2 ** 22

/**
 * Everything that happens on a planned market in the order of time: each token's launch, then its trades, evenly over its life.
 * Twelve bytes a trade, so ten million are no burden. The oldest token's age is at most twelve days.
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
    // A trade's number is odd: after its token's launch, were they of the same ms.
    for (let trade = 0; trade < trades; trade++) {
      moments[next++] = Math.floor(launchedMs + random() * ageMs) * TOKENS_MAX + token + 1
    }
  }
  return moments.sort()
}
