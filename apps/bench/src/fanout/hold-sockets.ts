import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Listeners } from '../load/plans.ts'
import type { ListenPlan } from './listen.ts'

/** Max number of outstanding messages per socket at the highest rate, well below the server's limit. */
const BEHIND_MAX = 32
/** Max time from the response to the last trade to the last message, in ms. */
const HEARD_WITHIN_MS = 30_000
/** Number of open files that the process needs in addition to sockets. */
const SPARE_FILES = 200

/** The sockets to open on a local server. */
export interface HolderPlan extends ListenPlan {
  readonly sockets: number
  /** Number of received events, in the buffer's 8 bytes. */
  readonly received: SharedArrayBuffer
}

/** Messages that the sockets received during a measurement. */
export type Delivery = {
  readonly perSecond: number
  /** Sampled latency in ms, from an event's time (when its batch was applied) to its arrival; 0 without samples. */
  readonly p50Ms: number
  readonly p99Ms: number
}

/**
 * Messages to the thread that holds the sockets. A plan opens them; `listen` starts a measurement, and `report` ends
 * it.
 */
export type HolderMessage = HolderPlan | 'listen' | 'report' | 'close'

/** Listening sockets in a separate thread. */
export interface HeldSockets {
  /** Data with which a load can wait for these sockets. */
  readonly listeners: Listeners
  /**
   * Counts the messages for a number of trades until all sockets have received the last. Rejects if a socket is lost or
   * misses a message.
   */
  during(trade: () => Promise<number>): Promise<Delivery>
  close(): Promise<void>
}

/** Opens sockets. Resolves when all of them listen. */
export async function holdSockets(plan: Omit<HolderPlan, 'received'>): Promise<HeldSockets> {
  const worker = new Worker(new URL('./socket-holder.ts', import.meta.url))
  const received = new SharedArrayBuffer(8)
  const ask = async (message: HolderMessage): Promise<Delivery | null> => {
    const answered = once(worker, 'message')
    worker.postMessage(message)
    const [reply] = (await answered) as [{ result: Delivery | null } | { error: string }]
    if ('error' in reply) throw new Error(reply.error)
    return reply.result
  }
  await ask({ ...plan, received })
  return {
    listeners: { received, sockets: plan.sockets, behindMax: BEHIND_MAX },
    during: async (trade) => {
      const before = countIn(received)
      await ask('listen')
      await untilHeard(received, before + (await trade()) * plan.sockets)
      const delivery = await ask('report')
      if (delivery === null) throw new Error('the sockets were not opened')
      return delivery
    },
    close: async () => {
      await ask('close')
      await worker.terminate()
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

/** If the process may not open that many sockets, throws an error that says what to do. */
export function assertRoomForSockets(sockets: number): void {
  const path = '/proc/self/limits'
  const most = openFilesMax(existsSync(path) ? readFileSync(path, 'utf8') : '')
  if (most >= sockets + SPARE_FILES) return
  throw new Error(
    `A process may have only ${most} files open, and ${sockets} sockets are needed: raise it with ulimit -n.`,
  )
}

/**
 * Returns the max number of open files from `/proc/self/limits`. Uses the hard limit, because Node raises the soft
 * limit to it.
 */
function openFilesMax(limits: string): number {
  const [, hard] = /^Max open files +\S+ +(\S+)/m.exec(limits) ?? []
  return hard === undefined || hard === 'unlimited' ? Number.POSITIVE_INFINITY : Number(hard)
}
