import { setImmediate } from 'node:timers/promises'
import type { App } from '../../context.ts'
import { TooManyConnectionsError } from '../../errors.ts'
import { createWorkQueue, type WorkQueue } from '../../lib/work-queue.ts'

/** Few of the node's database connections: orders and reads need the others while thousands of subscribers resume. */
const RUNNING_MAX = 4
/** More than the sockets of a node that may resume at once. */
const WAITING_MAX = 20_000

export function createReplayQueue(): WorkQueue {
  return createWorkQueue({
    runningMax: RUNNING_MAX,
    waitingMax: WAITING_MAX,
    full: () => new TooManyConnectionsError(),
  })
}

/**
 * Reads the journal for a subscriber that resumes, in order of arrival. Each read ends with a turn of the event loop, so
 * that pages answered from memory do not hold up orders.
 */
export function replay<T>({ replayQueue }: Pick<App, 'replayQueue'>, read: () => Promise<T>): Promise<T> {
  return replayQueue(async () => {
    const found = await read()
    await setImmediate()
    return found
  })
}
