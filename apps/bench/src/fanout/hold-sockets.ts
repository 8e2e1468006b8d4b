import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Listeners } from '../load/order-plan.ts'
import type { Delivery, HolderMessage, HolderPlan } from './holder-plan.ts'

/** Max outstanding messages per socket at the highest rate, well below the server's limit. */
const BEHIND_MAX = 32

/** Max time from the last trade's answer to the last message. */
const HEARD_WITHIN_MS = 30_000

/** Listening sockets in a separate thread. */
export interface HeldSockets {
  /** Lets a load wait for these sockets. */
  readonly listeners: Listeners
  /** Counts messages of a number of trades until all sockets have received the last. Rejects if a socket is lost or misses one. */
  during(trade: () => Promise<number>): Promise<Delivery>
  close(): Promise<void>
}

/** Opens sockets; resolves once all of them listen. */
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
  await ask({ open: { ...plan, received } })
  return {
    listeners: { received, sockets: plan.sockets, behindMax: BEHIND_MAX },
    during: async (trade) => {
      const before = countIn(received)
      await ask({ listen: true })
      await untilHeard(received, before + (await trade()) * plan.sockets)
      const delivery = await ask({ report: true })
      if (delivery === null) throw new Error('the sockets were not opened')
      return delivery
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
