import type { App, Context } from '../../context.ts'

/** Events read from the journal that are worth one read. */
const EVENTS_PER_READ = 50

/** Who listens, and how long. */
export interface LiveReader {
  readonly app: App
  readonly signal: AbortSignal | undefined
  /** Counts events that were read from the journal for this reader. Throws `RateLimitedError`. */
  spendEvents(count: number): Promise<void>
}

/** A resume of 5,000 events costs a hundred reads; one of less than fifty no more than the call itself. */
export function createLiveReader(ctx: Context, signal: AbortSignal | undefined): LiveReader {
  let counted = 0
  return {
    app: ctx.app,
    signal,
    spendEvents: async (count) => {
      const before = Math.floor(counted / EVENTS_PER_READ)
      counted += count
      const reads = Math.floor(counted / EVENTS_PER_READ) - before
      if (reads > 0) await ctx.app.limits.spend(ctx, 'read', reads)
    },
  }
}
