import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { openBuyer } from './buyer.ts'
import type { Listeners, LoadResult, OrderPlan } from './plans.ts'
import { summarize } from './run-reads.ts'

/** How often to check whether listeners have caught up, in ms. */
const LOOK_EVERY_MS = 1

/** Buys over a transport for some time. Rejects when the server rejects an order or a connection ends. */
export async function runOrders(plan: OrderPlan): Promise<LoadResult> {
  const buyers = await Promise.all(plan.cookies.map((cookie) => openBuyer(plan, cookie)))
  const latenciesMs: number[] = []
  const startedMs = performance.now()
  const pace = new Pace(plan, startedMs)
  const drive = async (buyer: (typeof buyers)[number]) => {
    while (await pace.next()) {
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

/** Decides when to send the next order. */
class Pace {
  readonly #startedMs: number
  readonly #untilMs: number
  readonly #everyMs: number
  readonly #listeners: Listeners | undefined
  readonly #receivedBefore: number
  #sent = 0

  constructor({ seconds, perSecond, listeners }: OrderPlan, startedMs: number) {
    this.#startedMs = startedMs
    this.#untilMs = startedMs + seconds * 1_000
    this.#everyMs = perSecond == null ? 0 : 1_000 / perSecond
    this.#listeners = listeners
    this.#receivedBefore = receivedBy(listeners)
  }

  /** Waits until the next order is due. Resolves to false when the run is over. */
  async next(): Promise<boolean> {
    const turn = this.#sent++
    const atMs = this.#startedMs + turn * this.#everyMs
    if (atMs >= this.#untilMs) return false
    if (atMs > performance.now()) await delay(atMs - performance.now())
    while (this.#isFarAhead(turn) && performance.now() < this.#untilMs) await delay(LOOK_EVERY_MS)
    return performance.now() < this.#untilMs
  }

  #isFarAhead(turn: number): boolean {
    if (this.#listeners === undefined) return false
    const { sockets, behindMax } = this.#listeners
    return turn * sockets - (receivedBy(this.#listeners) - this.#receivedBefore) > behindMax * sockets
  }
}

function receivedBy(listeners: Listeners | undefined): number {
  return listeners === undefined ? 0 : Number(Atomics.load(new BigInt64Array(listeners.received), 0))
}
