import { setTimeout as sleep } from 'node:timers/promises'
import { isDiskFull } from './disk-room.ts'
import { type RunningServer, runServer, type ServerPlan } from './run-server.ts'

const restartsMax = 5
/** How long a server must run before a failure starts a new count of restarts, in ms. */
const steadyAfterMs = 60_000
/** Time between restarts while the disk is full, in ms. */
const roomCheckEveryMs = 1_000

/** Data about an unexpected end of the server. `willRestart` is false after too many unexpected ends in a row. */
export interface UnexpectedEnd {
  readonly reason: string
  readonly willRestart: boolean
}

export interface SupervisionEvents {
  /** Called when PostgreSQL ends unexpectedly. Queries fail until PostgreSQL has restarted. */
  readonly onUnexpectedEnd?: (event: UnexpectedEnd) => void
  /** Called when PostgreSQL has restarted at the same address. */
  readonly onRestarted?: () => void
}

/** A server that is restarted when it ends unexpectedly. */
interface SupervisedServer {
  /** Returns the pid of the server. The pid changes when the server restarts. */
  pid(): number
  stop(): Promise<void>
}

/**
 * Starts a server, and keeps it running until `stop`. The number of restarts in a row is limited. While the disk is
 * full, there is no limit, because an operator will free space.
 */
export async function supervise(plan: ServerPlan, events: SupervisionEvents): Promise<SupervisedServer> {
  let server = await runServer(plan)
  let isStopping = false
  const watching = (async () => {
    let failures = 0
    while (!isStopping) {
      const startedAt = Date.now()
      const reason = await server.ended
      if (isStopping) return
      const isNew = Date.now() - startedAt > steadyAfterMs || isDiskFull(plan.home.folder)
      failures = isNew ? 1 : failures + 1
      const restarted = await restart(plan, events, { reason, failures, isCancelled: () => isStopping })
      if (!restarted) return
      server = restarted
      events.onRestarted?.()
    }
  })()
  return {
    pid: () => server.pid,
    stop: async () => {
      isStopping = true
      await server.stop()
      await watching
      await server.stop() // Also stop a server that a concurrent restart has started.
    },
  }
}

interface Restart {
  readonly reason: string
  readonly failures: number
  readonly isCancelled: () => boolean
}

async function restart(plan: ServerPlan, events: SupervisionEvents, end: Restart): Promise<RunningServer | undefined> {
  let { reason, failures } = end
  let isFullTold = false
  for (;;) {
    const isFull = isDiskFull(plan.home.folder)
    const willRestart = isFull || failures <= restartsMax
    // While the disk is full, try again every second, but report this only once.
    if (!isFull) events.onUnexpectedEnd?.({ reason, willRestart })
    else if (!isFullTold) events.onUnexpectedEnd?.({ reason: `the disk is full (${reason})`, willRestart })
    isFullTold = isFull
    if (!willRestart) return undefined
    await sleep(isFull ? roomCheckEveryMs : 100 * 2 ** failures)
    if (end.isCancelled()) return undefined
    try {
      return await runServer(plan)
    } catch (error) {
      reason = String(error)
      if (!isFull) failures++
    }
  }
}
