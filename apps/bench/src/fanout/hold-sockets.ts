import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Listeners } from '../load/order-plan.ts'
import type { Heard, HolderMessage, HolderPlan } from './holder-plan.ts'

/** Messages that a socket may have outstanding at the highest rate: far from where a server cuts it off. */
const BEHIND_MAX = 32

/** From the last trade's answer until everybody must have heard of it. */
const HEARD_WITHIN_MS = 30_000

/** Sockets that listen, in a thread of their own. */
export interface HeldSockets {
  /** For a load that waits for them. */
  readonly listeners: Listeners
  /** What they hear of a number of trades, until all have heard of the last. Throws when one is cut off, or has not heard of all. */
  during(trade: () => Promise<number>): Promise<Heard>
  close(): Promise<void>
}

/** Opens sockets; when this returns, all of them listen. */
export async function holdSockets(plan: Omit<HolderPlan, 'received'>): Promise<HeldSockets> {
  const worker = new Worker(new URL('./socket-holder.ts', import.meta.url))
  const received = new SharedArrayBuffer(8)
  const ask = async (message: HolderMessage): Promise<Heard | null> => {
    const answered = once(worker, 'message')
    worker.postMessage(message)
    const [reply] = (await answered) as [{ result: Heard | null } | { error: string }]
    if ('error' in reply) throw new Error(reply.error)
    return reply.result
  }
  await ask({ open: { ...plan, received } })
  return {
    listeners: { received, sockets: plan.sockets, behindMax: BEHIND_MAX },
    during: async (trade) => {
      const before = countIn(received)
      await ask({ listen: true })
      await untilHeard(received, before + (await trade()) * plan.sockets)
      const heard = await ask({ tell: true })
      if (heard === null) throw new Error('nobody listened')
      return heard
    },
    close: async () => {
      await ask({ close: true })
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
