import { TooManyConnectionsError } from '../../errors.ts'
import { boundedWork } from '../../lib/limiter.ts'

/** Of the node's connections, few: who trades and who reads need theirs while thousands come back at once. */
const RUNNING_MAX = 4
/** More than a node has sockets waiting to catch up, were each to come back at once. */
const WAITING_MAX = 20_000

/** Reads of the journal for subscribers who come back, in the order they came, a few at a time. */
export const replay = boundedWork({
  runningMax: RUNNING_MAX,
  waitingMax: WAITING_MAX,
  full: () => new TooManyConnectionsError(),
})
