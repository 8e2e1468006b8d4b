import type { App, Context } from '../../context.ts'

/** Journal events that cost as much of the rate limit as one read. */
const EVENTS_PER_READ = 50

/** A subscriber, and how long it listens. */
export interface LiveReader {
  readonly app: App
  readonly ip: string
  readonly signal: AbortSignal | undefined
  /** Counts events read from the journal for this subscriber. Throws `RateLimitedError`. */
  spendEvents(count: number): Promise<void>
}

/** 5,000 resumed events cost a hundred reads; fewer than fifty cost no more than the call itself. */
export function createLiveReader(ctx: Context, signal: AbortSignal | undefined): LiveReader {
  let counted = 0
  return {
    app: ctx.app,
    ip: ctx.ip,
    signal,
    spendEvents: async (count) => {
      const before = Math.floor(counted / EVENTS_PER_READ)
      counted += count
      const reads = Math.floor(counted / EVENTS_PER_READ) - before
      if (reads > 0) await ctx.app.limits.spend(ctx, 'read', reads)
    },
  }
}
