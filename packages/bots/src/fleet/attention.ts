import { DAY_MS, HOUR_MS, MINUTE_MS } from '../market/figures.ts'
import type { MarketView, TokenView } from '../market/views.ts'
import type { Random } from '../random/random.ts'

const REFRESH_MS = 15_000
const TOKENS_MAX = 512
/** Exponent and bounds of a token's appeal, whose distribution has a fat tail. These are assumptions. */
const APPEAL_EXPONENT = 1
const APPEAL_MIN = 0.6
const APPEAL_MAX = 12
/** Max number of cached lists of weights. A list that was removed from the cache can be computed again. */
const INTERESTS_MAX = 2048
/**
 * Max total attention for strangers' tokens, relative to the attention for the house's tokens. Many launches therefore
 * cannot take all attention.
 */
const STRANGERS_MAX = 0.4
/** How long bots look more often at a token after a trade, in ms. */
const FRESH_MS = 20 * MINUTE_MS
const FRESH_WEIGHT = 1.5
/** Part of a token's interest that remains after the token's lifetime, because some players always look back. */
const AFTERGLOW = 0.002

/**
 * Points of the distribution of lifetimes: the part of all tokens that are interesting for at most this long. Rug pulls
 * and inactivity shorten these lifetimes, so that they are close to published ones (docs/bots.md).
 */
const LIFETIMES: readonly (readonly [share: number, ms: number])[] = [
  [0, HOUR_MS],
  [0.56, DAY_MS],
  [0.7, 2 * DAY_MS],
  [0.76, 3 * DAY_MS],
  [0.83, 7 * DAY_MS],
  [0.94, 90 * DAY_MS],
  [1, 365 * DAY_MS],
]

interface Interest {
  readonly lifetimeMs: number
  readonly appeal: number
}

/**
 * Chooses which token a bot looks at. Each token has a hidden appeal and lifetime, which are drawn from the seed and
 * the token's id.
 */
export class Attention {
  readonly #random: Random
  readonly #isHouse: (userId: number) => boolean
  readonly #interests = new Map<number, Interest>()
  readonly #shown: TokenView[] = []
  readonly #sums = new Float64Array(TOKENS_MAX)
  #refreshAtMs = Number.NEGATIVE_INFINITY

  constructor(random: Random, isHouse: (userId: number) => boolean) {
    this.#random = random
    this.#isHouse = isHouse
  }

  /** Makes the next `pick` read the market again. */
  invalidate(): void {
    this.#refreshAtMs = Number.NEGATIVE_INFINITY
  }

  /** Picks a random token by weight, or returns undefined if there is no token. */
  pick(market: MarketView, nowMs: number): TokenView | undefined {
    if (nowMs >= this.#refreshAtMs) this.#refresh(market, nowMs)
    if (this.#shown.length === 0) return undefined
    let low = 0
    let high = this.#shown.length - 1
    const drawn = this.#random.next() * (this.#sums[high] as number)
    while (low < high) {
      const middle = (low + high) >> 1
      if (drawn < (this.#sums[middle] as number)) high = middle
      else low = middle + 1
    }
    return this.#shown[low]
  }

  /** Returns a token's remaining interest as a fraction: 1 at launch, 0 after its lifetime. */
  toInterest(token: TokenView, nowMs: number): number {
    const { lifetimeMs } = this.#toInterest(token)
    return Math.max(0, 1 - (nowMs - token.createdAtMs) / lifetimeMs)
  }

  #refresh(market: MarketView, nowMs: number): void {
    this.#refreshAtMs = nowMs + REFRESH_MS
    this.#shown.length = 0
    let own = 0
    let strangers = 0
    for (const token of market.tokens) {
      const weight = token.isRugged ? 0 : this.#toWeight(token, nowMs)
      if (weight <= 0 || this.#shown.length === TOKENS_MAX) continue
      if (this.#isHouse(token.creatorId)) own += weight
      else strangers += weight
      this.#sums[this.#shown.length] = weight
      this.#shown.push(token)
    }
    const scale = own > 0 && strangers > 0 ? Math.min(1, (own * STRANGERS_MAX) / strangers) : 1
    this.#sumUp(scale)
  }

  /** Limits the weights of strangers' tokens, then converts all weights to running sums. */
  #sumUp(scale: number): void {
    let sum = 0
    for (let index = 0; index < this.#shown.length; index++) {
      const isOwn = this.#isHouse((this.#shown[index] as TokenView).creatorId)
      sum += (this.#sums[index] as number) * (isOwn ? 1 : scale)
      this.#sums[index] = sum
    }
  }

  #toWeight(token: TokenView, nowMs: number): number {
    const { appeal, lifetimeMs } = this.#toInterest(token)
    const ageMs = nowMs - token.createdAtMs
    if (ageMs > lifetimeMs) return 0
    const fresh = ageMs < FRESH_MS ? FRESH_WEIGHT : 0
    return appeal * (1 - ageMs / lifetimeMs) * (1 + HOUR_MS / (HOUR_MS + ageMs)) + fresh + AFTERGLOW
  }

  #toInterest(token: TokenView): Interest {
    const known = this.#interests.get(token.id)
    if (known !== undefined) return known
    const random = this.#random.fork(`token ${token.id}`)
    const share = random.next()
    const interest = {
      lifetimeMs: toLifetime(share),
      appeal: Math.min(APPEAL_MAX, APPEAL_MIN + random.pareto(0.3, APPEAL_EXPONENT) / (1.05 - share)),
    }
    if (this.#interests.size >= INTERESTS_MAX) this.#interests.clear()
    this.#interests.set(token.id, interest)
    return interest
  }
}

/**
 * Returns the lifetime in ms that this part of all tokens does not exceed, interpolated between the points on a log
 * scale.
 */
function toLifetime(share: number): number {
  for (let index = 1; index < LIFETIMES.length; index++) {
    const [from, fromMs] = LIFETIMES[index - 1] as (typeof LIFETIMES)[number]
    const [to, toMs] = LIFETIMES[index] as (typeof LIFETIMES)[number]
    if (share <= to) return fromMs * (toMs / fromMs) ** ((share - from) / (to - from))
  }
  return 365 * DAY_MS
}
