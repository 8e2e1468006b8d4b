import type { Sol } from '@papermoon/amm'
import type { TokenId } from '@papermoon/engine'
import { LRUCache } from 'lru-cache'

/** Tokens of all cached players together. */
const TOKENS_MAX = 100_000

/** What a player had when a span of time began. */
export interface SpanStart {
  readonly netWorth: Sol
  /** What each token held then would have paid; those that would have paid nothing are left out. */
  readonly cashOuts: ReadonlyMap<TokenId, Sol>
}

/** By player and moment: the past never changes, and whoever looks at their portfolio asks with every trade. */
export type SpanStarts = LRUCache<string, SpanStart>

export function createSpanStarts(): SpanStarts {
  return new LRUCache({ maxSize: TOKENS_MAX, sizeCalculation: ({ cashOuts }) => 1 + cashOuts.size })
}
