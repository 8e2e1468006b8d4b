import type { Sol } from '@papermoon/amm'
import type { TokenId } from '@papermoon/engine'
import { LRUCache } from 'lru-cache'

/** Tokens of all cached entries together. */
const TOKENS_MAX = 100_000

/** A player's worth at the start of a time span. */
export interface SpanStart {
  readonly netWorth: Sol
  /** Cash-out value of each token held then, without zeros. */
  readonly cashOuts: ReadonlyMap<TokenId, Sol>
}

/** Keyed by player and time. The past never changes, and an open portfolio page reads it after every trade. */
export type SpanStarts = LRUCache<string, SpanStart>

export function createSpanStarts(): SpanStarts {
  return new LRUCache({ maxSize: TOKENS_MAX, sizeCalculation: ({ cashOuts }) => 1 + cashOuts.size })
}
