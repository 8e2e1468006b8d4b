import { setTimeout as sleep } from 'node:timers/promises'
import { isDiskFull } from './disk-room.ts'
import { truncateLog } from './log-file.ts'
import { type RunningServer, runServer, type ServerPlan } from './run-server.ts'

const restartsMax = 5
/** A server that ran this long did not end for the same reason as the one before it. */
const steadyAfterMs = 60_000
const logCheckEveryMs = 10_000
/** How often it is tried whether a full disk has room again. */
const roomCheckEveryMs = 1_000

/** An unexpected end of the server. `willRestart` is false when it ended too often in a row. */
export interface UnexpectedEnd {
  readonly reason: string
  readonly willRestart: boolean
}

/** Who wants to know of a server's troubles. */
export interface SupervisionEvents {
  /** Told when PostgreSQL ends while nobody stopped it. Queries fail until it is back. */
  readonly onUnexpectedEnd?: (event: UnexpectedEnd) => void
  /** Told when it is back, at the same address. */
  readonly onRestarted?: () => void
}

/** A server that is started again when it ends by itself. */
interface SupervisedServer {
  /** The process, which changes with a restart. */
  pid(): number
  stop(): Promise<void>
}

/**
 * Starts a server and keeps it running until it is stopped: a bounded number of restarts in a row, and as many as it takes
 * while the disk is full, which somebody will mend.
 */
export async function supervise(plan: ServerPlan, events: SupervisionEvents): Promise<SupervisedServer> {
  let server = await runServer(plan)
  let isStopping = false
  const logCheck = setInterval(() => truncateLog(plan.home.logFile), logCheckEveryMs).unref()
  const watching = (async () => {
    let failures = 0
    while (!isStopping) {
      const startedAt = Date.now()
      const reason = await server.ended
      if (isStopping) return
      const isNew = Date.now() - startedAt > steadyAfterMs || isDiskFull(plan.home.folder)
      failures = isNew ? 1 : failures + 1
      const restarted = await restart(plan, events, { reason, failures, isUnwanted: () => isStopping })
      if (!restarted) return
      server = restarted
      events.onRestarted?.()
    }
  })()
  return {
    pid: () => server.pid,
    stop: async () => {
      isStopping = true
      clearInterval(logCheck)
      await server.stop()
      await watching
      await server.stop() // A restart that was under way may have ended with a new server.
    },
  }
}

interface Restart {
  readonly reason: string
  readonly failures: number
  readonly isUnwanted: () => boolean
}

async function restart(plan: ServerPlan, events: SupervisionEvents, end: Restart): Promise<RunningServer | undefined> {
  let { reason, failures } = end
  for (;;) {
    const isFull = isDiskFull(plan.home.folder)
    const willRestart = isFull || failures <= restartsMax
    events.onUnexpectedEnd?.({ reason, willRestart })
    if (!willRestart) return undefined
    await sleep(isFull ? roomCheckEveryMs : 100 * 2 ** failures)
    if (end.isUnwanted()) return undefined
    try {
      return await runServer(plan)
    } catch (error) {
      reason = String(error)
      if (!isFull) failures++
    }
  }
}
