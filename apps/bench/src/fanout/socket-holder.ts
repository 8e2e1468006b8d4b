import { parentPort } from 'node:worker_threads'
import { quantile } from '../report/median.ts'
import { timeIn } from './event-times.ts'
import type { Delivery, HolderMessage, HolderPlan } from './hold-sockets.ts'
import { listen } from './listen.ts'

/** Max number of sockets that are opened at the same time. */
const OPENING_MAX = 50
/** Number of messages of which one is inspected, because reading a time costs more than receiving the message. */
const SAMPLE_EVERY = 61
/** Max size of a subscription's start message in bytes. Events are longer. */
const STARTED_BYTES_MAX = 100

/** A thread that holds many sockets and counts the messages they receive. */
class SocketHolder {
  readonly #plan: HolderPlan
  readonly #received: BigInt64Array
  readonly #sockets: { close(): void }[] = []
  #delaysMs: number[] = []
  #sinceMs = 0
  #countBefore = 0n
  #lost: string | null = null

  constructor(plan: HolderPlan) {
    this.#plan = plan
    this.#received = new BigInt64Array(plan.received)
  }

  /** Opens all sockets and waits until all subscriptions have started. */
  async open(): Promise<void> {
    const { sockets } = this.#plan
    for (let from = 0; from < sockets; from += OPENING_MAX) {
      const some = Math.min(OPENING_MAX, sockets - from)
      this.#sockets.push(...(await Promise.all(Array.from({ length: some }, () => this.#openOne()))))
    }
  }

  listen(): void {
    this.#delaysMs = []
    this.#sinceMs = Date.now()
    this.#countBefore = Atomics.load(this.#received, 0)
  }

  /** Returns the counts. Throws if a socket was lost, because its count is incomplete. */
  report(): Delivery {
    if (this.#lost !== null) throw new Error(this.#lost)
    const received = Number(Atomics.load(this.#received, 0) - this.#countBefore)
    const delaysMs = this.#delaysMs.length === 0 ? [0] : this.#delaysMs
    return {
      perSecond: (received / (Date.now() - this.#sinceMs)) * 1_000,
      p50Ms: quantile(delaysMs, 0.5),
      p99Ms: quantile(delaysMs, 0.99),
    }
  }

  close(): void {
    for (const socket of this.#sockets) socket.close()
  }

  async #openOne(): Promise<{ close(): void }> {
    const { promise: started, resolve } = Promise.withResolvers<void>()
    const socket = await listen(this.#plan, {
      text: (payload) => this.#take(payload, resolve),
      lost: (reason) => {
        this.#lost = reason
      },
    })
    if (this.#plan.kind === 'subscriptions') await started
    return socket
  }

  #take(payload: Buffer, isStarted: () => void): void {
    // A subscription's first message confirms that the subscription has started.
    if (payload.length < STARTED_BYTES_MAX) {
      isStarted()
      return
    }
    const count = Atomics.add(this.#received, 0, 1n)
    if (Number(count) % SAMPLE_EVERY === 0) this.#delaysMs.push(Date.now() - timeIn(payload))
  }
}

let holder: SocketHolder | null = null

async function handle(message: HolderMessage): Promise<Delivery | null> {
  if (typeof message === 'object') {
    holder = new SocketHolder(message)
    await holder.open()
  } else if (message === 'report') return holder?.report() ?? null
  else holder?.[message]()
  return null
}

parentPort?.on('message', (message: HolderMessage) => {
  handle(message).then(
    (result) => parentPort?.postMessage({ result }),
    (error: unknown) => parentPort?.postMessage({ error: String(error) }),
  )
})
