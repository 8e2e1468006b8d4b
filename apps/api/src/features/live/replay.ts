import { setImmediate } from 'node:timers/promises'
import type { AppPart } from '../../context.ts'
import { RateLimitedError, TooManyConnectionsError } from '../../errors.ts'
import type { Outlet } from '../../events/stream/outlet.ts'
import { sleep } from '../../lib/sleep.ts'
import { createWorkQueue } from '../../lib/work-queue.ts'

/** Few of the node's database connections: orders and reads need the others while thousands of subscribers resume. */
const RUNNING_MAX = 4
/** More than the sockets of a node that may resume at once. */
const WAITING_MAX = 20_000
/** Sending a page of so many events takes a good part of a millisecond. */
const LARGE_PAGE = 100
/** After each large page, for orders and reads. */
const PAUSE_MS = 4
/** Events from the journal that cost as much of the rate limit as one read. */
export const EVENTS_PER_READ = 50

const replayQueue = createWorkQueue({
  runningMax: RUNNING_MAX,
  waitingMax: WAITING_MAX,
  full: () => new TooManyConnectionsError(),
})

/** A connection that gets events, and where they come from. */
export interface Listener {
  readonly app: AppPart<'db' | 'timers' | 'feed' | 'stream' | 'journal' | 'clock' | 'limits' | 'streamMetrics'>
  readonly outlet: Outlet
}

/** What a read of the journal needs of a listener. */
interface Reader {
  readonly app: AppPart<'timers'>
  readonly outlet: Pick<Outlet, 'ip'>
}

/**
 * Reads the journal for a subscriber that resumes. Each read ends with a turn of the event loop, and a large page with a pause,
 * so that pages answered from memory do not hold up orders.
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
 * Returns the function that counts events of the journal as reads: 5,000 cost a hundred, fewer than fifty no more than the call
 * itself. Past the limit it waits; for a strict outlet it throws `RateLimitedError`.
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
