import { setImmediate } from 'node:timers/promises'
import { TooManyConnectionsError } from '../../errors.ts'
import { createWorkQueue } from '../../lib/work-queue.ts'

/** Of the node's connections, few: who trades and who reads need theirs while thousands come back at once. */
const RUNNING_MAX = 4
/** More than a node has sockets waiting to catch up, were each to come back at once. */
const WAITING_MAX = 20_000

const work = createWorkQueue({
  runningMax: RUNNING_MAX,
  waitingMax: WAITING_MAX,
  full: () => new TooManyConnectionsError(),
})

/**
 * Reads of the journal for subscribers who come back, in the order they came, a few at a time and in a turn of the event
 * loop: what is answered from memory must not keep out those who trade.
 */
export function replay<T>(read: () => Promise<T>): Promise<T> {
  return work(async () => {
    const found = await read()
    await setImmediate()
    return found
  })
}
