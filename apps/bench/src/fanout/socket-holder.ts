import { replyToParent } from '../load/ask-worker.ts'
import { quantile } from '../report/median.ts'
import { timeIn } from './event-times.ts'
import type { Delivery, HolderMessage, HolderPlan } from './hold-sockets.ts'
import { listen } from './listen.ts'

/** Max number of sockets that are being opened at the same time. */
const OPENING_MAX = 50
/**
 * The thread reads the time of one message in this number of messages. Reading a message's time costs more than
 * receiving the message.
 */
const SAMPLE_EVERY = 61
/** Max size of a subscription's start message in bytes. Events are longer than this message. */
const STARTED_BYTES_MAX = 100
const POST_ID = Buffer.from('"post":{"id":')
const DIGITS = 12

/** A thread that holds many sockets and counts the messages they receive. */
class SocketHolder {
  readonly #plan: HolderPlan
  readonly #received: BigInt64Array
  #delaysMs: number[] = []
  #sinceMs = 0
  #countBefore = 0n
  /** The reason why the counts are wrong. Null if the counts are correct. */
  #fault: string | null = null

  constructor(plan: HolderPlan) {
    this.#plan = plan
    this.#received = new BigInt64Array(plan.received)
  }

  /** Opens all sockets and waits until all subscriptions have started. */
  async open(): Promise<void> {
    const { sockets } = this.#plan
    for (let from = 0; from < sockets; from += OPENING_MAX) {
      const some = Math.min(OPENING_MAX, sockets - from)
      await Promise.all(Array.from({ length: some }, () => this.#openOne()))
    }
  }

  listen(): void {
    this.#delaysMs = []
    this.#sinceMs = Date.now()
    this.#countBefore = Atomics.load(this.#received, 0)
  }

  /** Returns the counts of received messages. Throws an error if a socket disconnected or received a post twice. */
  report(): Delivery {
    if (this.#fault !== null) throw new Error(this.#fault)
    const received = Number(Atomics.load(this.#received, 0) - this.#countBefore)
    const delaysMs = this.#delaysMs.length === 0 ? [0] : this.#delaysMs
    return {
      perSecond: (received / (Date.now() - this.#sinceMs)) * 1_000,
      p50Ms: quantile(delaysMs, 0.5),
      p99Ms: quantile(delaysMs, 0.99),
    }
  }

  async #openOne(): Promise<void> {
    const { promise: started, resolve: start } = Promise.withResolvers<void>()
    const posts = new Set<string>()
    await listen(this.#plan, {
      text: (payload) => {
        // A subscription's first message confirms that the subscription has started.
        if (payload.length < STARTED_BYTES_MAX) return start()
        if (this.#plan.kind === 'talk') this.#checkPost(payload, posts)
        const count = Atomics.add(this.#received, 0, 1n)
        if (Number(count) % SAMPLE_EVERY === 0) this.#delaysMs.push(Date.now() - timeIn(payload))
      },
      lost: (reason) => {
        this.#fault = reason
      },
    })
    if (this.#plan.kind === 'subscriptions' || this.#plan.kind === 'talk') await started
  }

  #checkPost(payload: Buffer, posts: Set<string>): void {
    const from = payload.indexOf(POST_ID) + POST_ID.length
    const [id = ''] = payload.toString('latin1', from, from + DIGITS).split(',', 1)
    if (posts.has(id)) this.#fault = `post ${id} arrived twice`
    posts.add(id)
  }
}

let holder: SocketHolder | null = null

replyToParent<HolderMessage, Delivery | null>(async (message) => {
  if (typeof message === 'object') {
    holder = new SocketHolder(message)
    await holder.open()
  } else if (message === 'report') return holder?.report() ?? null
  else holder?.listen()
  return null
})
