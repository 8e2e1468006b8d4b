import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { BenchContext } from '../bench.ts'
import { askWorker } from '../load/ask-worker.ts'
import type { ListenPlan } from './listen.ts'

/** How long after the response to the last trade the last message may arrive, in ms. */
const HEARD_WITHIN_MS = 30_000

/** The sockets that a thread opens on a local server. */
export interface HolderPlan extends ListenPlan {
  readonly sockets: number
  /** Number of received events, which a shared buffer contains in 8 bytes. */
  readonly received: SharedArrayBuffer
}

/** Messages that the sockets received during a measurement. */
export type Delivery = {
  readonly perSecond: number
  /**
   * Latencies of some of the events in ms, from an event's time (when its batch was applied) to its arrival; 0 if there
   * are no samples.
   */
  readonly p50Ms: number
  readonly p99Ms: number
}

/**
 * Messages to the thread with the sockets. A plan opens the sockets, `listen` starts a measurement, and `report` ends
 * it.
 */
export type HolderMessage = HolderPlan | 'listen' | 'report'

/** Sockets that listen in a separate thread. */
export interface HeldSockets {
  readonly count: number
  /**
   * Runs `cause`, which resolves to its number of events, and counts messages until every socket has received all of
   * them. `cause` can ask for the mean number of events that a socket has received. The promise rejects if a socket
   * disconnects or misses a message.
   */
  during(cause: (countReceived: () => number) => Promise<number>): Promise<Delivery>
}

/**
 * Opens sockets. The promise resolves when all of the sockets are listening. The sockets stay open until the end of the
 * context's part.
 */
export async function holdSockets({ cleanup }: BenchContext, plan: Omit<HolderPlan, 'received'>): Promise<HeldSockets> {
  const worker = new Worker(new URL('./socket-holder.ts', import.meta.url))
  cleanup.defer(async () => void (await worker.terminate()))
  const received = new SharedArrayBuffer(8)
  const tell = (message: HolderMessage) => askWorker<Delivery | null>(worker, message)
  await tell({ ...plan, received })
  return {
    count: plan.sockets,
    during: async (cause) => {
      const before = countIn(received)
      await tell('listen')
      const events = await cause(() => (countIn(received) - before) / plan.sockets)
      await untilHeard(received, before + events * plan.sockets)
      const delivery = await tell('report')
      if (delivery === null) throw new Error('the sockets were not opened')
      return delivery
    },
  }
}

function countIn(received: SharedArrayBuffer): number {
  return Number(Atomics.load(new BigInt64Array(received), 0))
}

async function untilHeard(received: SharedArrayBuffer, count: number): Promise<void> {
  const lateMs = performance.now() + HEARD_WITHIN_MS
  while (countIn(received) < count) {
    if (performance.now() > lateMs) throw new Error(`${count - countIn(received)} messages never came`)
    await delay(1)
  }
}
