import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import type { Logger } from 'pino'
import { answerMetrics } from './gather-metrics.ts'
import { WorkerPool, type WorkerProcess } from './worker-pool.ts'

/** The argument that makes a process the worker of a place. */
const PLACE = '--process='
/** The argument of the worker that writes the history of a demo world. */
const BEGUN = '--demo-begun'

/** Arguments of a worker's command line. */
export interface WorkerArguments {
  /** From 1 on; the first one keeps the demo world. */
  readonly place: number
  /** Whether the history of a demo world is to be written. */
  readonly hasBegun: boolean
}

/** Null: this process is no worker. */
export function readWorkerArguments(args: readonly string[]): WorkerArguments | null {
  const place = args.find((arg) => arg.startsWith(PLACE))?.slice(PLACE.length)
  return place === undefined ? null : { place: Number(place), hasBegun: args.includes(BEGUN) }
}

/**
 * Starts this program `count` times, and resolves to the port that all of them share: this process accepts connections and hands
 * them out in turn. `onPool` gets the way to stop them, also while they start. Throws `WorkerStartError`.
 */
export async function startWorkers(parts: {
  readonly count: number
  readonly hasBegun: boolean
  readonly log: Logger
  onPool(stop: (signal: NodeJS.Signals) => Promise<void>): void
}): Promise<number> {
  let port = 0
  const begun = new Set(parts.hasBegun ? [1] : [])
  cluster.schedulingPolicy = cluster.SCHED_RR
  answerMetrics()
  const pool = new WorkerPool({
    count: parts.count,
    log: parts.log,
    fork: (place) => {
      // Once: a second start goes on with what the first one wrote.
      const args = [`${PLACE}${place}`, ...(begun.delete(place) ? [BEGUN] : [])]
      cluster.setupPrimary({ args })
      return toWorkerProcess(cluster.fork(), (listening) => {
        port = listening
      })
    },
  })
  parts.onPool((signal) => pool.stop(signal))
  await pool.start()
  return port
}

function toWorkerProcess(worker: Worker, onPort: (port: number) => void): WorkerProcess {
  const ended = once(worker, 'exit').then(([code, signal]) => ({ code, signal }))
  const ready = new Promise<void>((resolve) => {
    worker.once('listening', ({ port }) => {
      onPort(port)
      resolve()
    })
  })
  return { pid: worker.process.pid, ready, ended, kill: (signal) => void worker.process.kill(signal) }
}
