import type { Context } from './context.ts'

/** What is counted apart: calls of a kind, or of one dear procedure. */
export type LimitName = 'read' | 'write' | 'login' | 'register' | 'launch'

/** Counts procedure calls over all doors. */
export interface RateLimits {
  /** Counts one call; throws `RateLimitedError` when the limit is spent. Sets the `RateLimit-*` headers. */
  spend(ctx: Context, limit: LimitName): Promise<void>
}
