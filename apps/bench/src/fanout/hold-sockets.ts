import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Listeners } from '../load/order-plan.ts'
import type { Heard, HolderMessage, HolderPlan } from './holder-plan.ts'

/** Messages that a socket may have outstanding at the highest rate: far from where a server cuts it off. */
const BEHIND_MAX = 128

/** Sockets that listen, in a thread of their own. */
export interface HeldSockets {
  /** For a load that waits for them. */
  readonly listeners: Listeners
  /** What they hear while something is done. Throws when one of them is cut off. */
  during(work: () => Promise<unknown>): Promise<Heard>
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
    during: async (work) => {
      await ask({ listen: true })
      await work()
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
