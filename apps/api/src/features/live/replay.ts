import { setImmediate } from 'node:timers/promises'
import type { AppPart } from '../../context.ts'
import { RateLimitedError, TooManyConnectionsError } from '../../errors.ts'
import type { Outlet } from '../../events/stream/live-subscription.ts'
import { sleep } from '../../lib/durations.ts'
import { createWorkQueue } from '../../lib/work-queue.ts'

/**
 * Max number of reads of the journal at a time. Without this limit, orders and other reads would find no free database
 * connection when thousands of subscribers resume.
 */
const RUNNING_MAX = 4
/** Max number of waiting reads. This number is higher than the number of a node's sockets. */
const WAITING_MAX = 20_000
/** Number of events in a large page. Sending such a page takes most of a millisecond. */
const LARGE_PAGE = 100
/** Pause after each large page in ms. Orders and reads run in the pause. */
const PAUSE_MS = 4
/** Number of events from the journal that count as one read in the rate limit. */
export const EVENTS_PER_READ = 50

const replayQueue = createWorkQueue({
  runningMax: RUNNING_MAX,
  waitingMax: WAITING_MAX,
  full: () => new TooManyConnectionsError(),
})

/** A connection that receives events, and the parts of the app that it needs. */
export interface Listener {
  readonly app: AppPart<'db' | 'timers' | 'feed' | 'stream' | 'journal' | 'clock' | 'limits' | 'streamMetrics'>
  readonly outlet: Outlet
}

/** The parts of a listener that a read of the journal needs. */
interface Reader {
  readonly app: AppPart<'timers'>
  readonly outlet: Pick<Outlet, 'ip'>
}

/**
 * Reads the journal for a subscriber that resumes. After each read, the function waits for the next turn of the event
 * loop, or for a pause after a large page. Without these waits, pages from the cache would delay orders.
 */
export function replay<T>(
  { app, outlet }: Reader,
  read: () => Promise<T>,
  countEvents: (found: T) => number = () => 0,
): Promise<T> {
  return replayQueue(outlet.ip, async () => {
    const found = await read()
    if (countEvents(found) >= LARGE_PAGE) await sleep(app.platform.timers, PAUSE_MS)
    else await setImmediate()
    return found
  })
}

/**
 * Creates a function that counts events from the journal as reads: 5,000 events count as a hundred reads, and fewer
 * than fifty count only as the call itself. Above the rate limit, the function waits; for a strict outlet, it throws
 * `RateLimitedError`.
 */
export function createEventCounter({
  app,
  outlet,
}: {
  readonly app: AppPart<'timers' | 'limits'>
  readonly outlet: Pick<Outlet, 'ip' | 'signal' | 'isStrict'>
}): (count: number) => Promise<void> {
  let counted = 0
  return async (count) => {
    const before = Math.floor(counted / EVENTS_PER_READ)
    counted += count
    const reads = Math.floor(counted / EVENTS_PER_READ) - before
    while (reads > 0) {
      try {
        return await app.accounts.limits.spend({ ip: outlet.ip, header: () => {} }, 'read', reads)
      } catch (error) {
        if (!(error instanceof RateLimitedError) || outlet.isStrict) throw error
        await sleep(app.platform.timers, error.retryAfterS * 1_000, outlet.signal)
        outlet.signal.throwIfAborted()
      }
    }
  }
}
