import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../context.ts'
import { TooManyConnectionsError } from '../../errors.ts'
import { createWorkQueue, type WorkQueue } from '../../lib/work-queue.ts'

/** Few of the node's database connections: orders and reads need the others while thousands of subscribers resume. */
const RUNNING_MAX = 4
/** More than the sockets of a node that may resume at once. */
const WAITING_MAX = 20_000
/** Sending a page of so many events takes a good part of a millisecond. */
const LARGE_PAGE = 100
/** Before each large page, for orders and reads. */
const PAUSE_MS = 2

export function createReplayQueue(): WorkQueue {
  return createQueue(RUNNING_MAX)
}

/** For large pages, which leave one after another. */
export function createReplayPageQueue(): WorkQueue {
  return createQueue(1)
}

function createQueue(runningMax: number): WorkQueue {
  return createWorkQueue({ runningMax, waitingMax: WAITING_MAX, full: () => new TooManyConnectionsError() })
}

/** A subscriber that resumes. */
interface Replayer {
  readonly app: Pick<App, 'replayQueue' | 'replayPageQueue'>
  readonly ip: string
}

/**
 * Reads the journal for a subscriber that resumes. Each read ends with a turn of the event loop, so
 * that pages answered from memory do not hold up orders.
 */
export function replay<T>({ app, ip }: Replayer, read: () => Promise<T>): Promise<T> {
  return app.replayQueue(ip, async () => {
    const found = await read()
    await setImmediate()
    return found
  })
}

/** Like `replay`, for a page of a token's events: large pages are queued, with pauses between. */
export async function replayPage<T>(reader: Replayer, read: () => Promise<T[]>): Promise<T[]> {
  const page = await replay(reader, read)
  if (page.length >= LARGE_PAGE) await reader.app.replayPageQueue(reader.ip, () => sleep(PAUSE_MS))
  return page
}
