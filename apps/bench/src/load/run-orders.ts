import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { openBuyer } from './buyer.ts'
import type { Listeners, LoadResult, OrderPlan } from './plans.ts'
import { summarize } from './run-reads.ts'

/** How often to check whether listeners have caught up, in ms. */
const LOOK_EVERY_MS = 1

/**
 * Places buys over a transport for some time. The promise rejects when the server rejects an order or a connection
 * ends.
 */
export async function runOrders(plan: OrderPlan): Promise<LoadResult> {
  const buyers = await Promise.all(plan.cookies.map((cookie) => openBuyer(plan, cookie)))
  const latenciesMs: number[] = []
  const startedMs = performance.now()
  const waitForNext = createPace(plan, startedMs)
  const drive = async (buyer: (typeof buyers)[number]) => {
    while (await waitForNext()) {
      const sentMs = performance.now()
      await buyer.buy(randomUUID())
      latenciesMs.push(performance.now() - sentMs)
    }
  }
  try {
    await Promise.all(buyers.map(drive))
  } finally {
    for (const buyer of buyers) buyer.close()
  }
  return summarize(latenciesMs, startedMs)
}

/**
 * Returns a function that waits until the next order is due. The function's promise resolves to false when the run is
 * over.
 */
function createPace({ seconds, perSecond, listeners }: OrderPlan, startedMs: number): () => Promise<boolean> {
  const untilMs = startedMs + seconds * 1_000
  const everyMs = perSecond == null ? 0 : 1_000 / perSecond
  const receivedBefore = listeners === undefined ? 0 : countReceived(listeners)
  const isFarAhead = (sent: number) => {
    if (listeners === undefined) return false
    const outstanding = sent * listeners.sockets - (countReceived(listeners) - receivedBefore)
    return outstanding > listeners.behindMax * listeners.sockets
  }
  let sent = 0
  return async () => {
    const turn = sent++
    const atMs = startedMs + turn * everyMs
    if (atMs >= untilMs) return false
    if (atMs > performance.now()) await delay(atMs - performance.now())
    while (isFarAhead(turn) && performance.now() < untilMs) await delay(LOOK_EVERY_MS)
    return performance.now() < untilMs
  }
}

function countReceived({ received }: Listeners): number {
  return Number(Atomics.load(new BigInt64Array(received), 0))
}
