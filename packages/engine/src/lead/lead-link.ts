import { performance } from 'node:perf_hooks'
import { connect, type TLSSocket } from 'node:tls'
import type { Logger } from 'pino'
import { BusyError, TooManyOrdersError } from '../errors.ts'
import type { UserId } from '../ids.ts'
import type { MarketEvent, Trade } from '../market-events.ts'
import type { Order } from '../orders.ts'
import type { Receipt } from '../pending-order.ts'
import { encodeFrame, FrameReader } from './frames.ts'
import { decodeError, type EncodedAnswer, type EncodedOrder, encodeOrder } from './order-codec.ts'
import {
  type FollowerMessage,
  FRAME_BYTES_MAX,
  type LeaderMessage,
  PROTOCOL,
  QUESTION_MAX_MS,
  QUESTIONS_MAX,
  SILENCE_MAX_MS,
  TLS_OPTIONS,
  UNDER_WAY_MAX,
  UNSENT_BYTES_MAX,
} from './protocol.ts'

const CONNECT_MAX_MS = 2_000
const PER_PLAYER_MAX = 8
/** Many times the trades between an event and the answer that belongs to it. */
const TRADES_KEPT = 8_192

/** What became of a forwarded order. */
export type ForwardOutcome =
  | { readonly kind: 'done'; readonly receipt: Receipt }
  | { readonly kind: 'refused'; readonly error: Error }
  /** Never begun by the leader: it may run elsewhere. */
  | { readonly kind: 'declined' }
  /** The link ended before the answer: the leader may have placed the order. `sentMs`: by the monotonic clock. */
  | { readonly kind: 'lost'; readonly sentMs: number }

interface LinkParts {
  readonly address: { readonly host: string; readonly port: number }
  readonly secret: Buffer
  readonly log: Logger
  receive(events: readonly MarketEvent[]): void
  /** Called once; `wasReady`: whether it ever took orders. */
  onEnd(wasReady: boolean): void
}

interface Forwarded {
  readonly userId: UserId
  sentMs: number
  settle(outcome: ForwardOutcome): void
}

/** A connection to the leader. It ends by itself when the leader is silent, and is then replaced by another. */
export class LeadLink {
  readonly #parts: LinkParts
  readonly #socket: TLSSocket
  readonly #reader = new FrameReader(FRAME_BYTES_MAX)
  readonly #underWay = new Map<number, Forwarded>()
  readonly #perPlayer = new Map<UserId, number>()
  /** What to do with the leader's answers to questions. */
  readonly #questions = new Map<number, { resolve(kind: Order['kind'] | null): void; reject(error: Error): void }>()
  #outbox: [id: number, isFresh: boolean, order: EncodedOrder][] = []
  /** The last trades of the market by id: answers refer to them. */
  readonly #trades = new Map<number, Trade>()
  #lastId = 0
  /** The leader's clock at its last heartbeat; null before the first. */
  #echo: number | null = null
  #isLeading = false
  #hasEnded = false
  #silence: NodeJS.Timeout

  constructor(parts: LinkParts) {
    this.#parts = parts
    this.#socket = connect({
      ...TLS_OPTIONS,
      ...parts.address,
      pskCallback: () => ({ psk: parts.secret, identity: PROTOCOL }),
      // The shared key has proved who answers.
      checkServerIdentity: () => undefined,
    })
    this.#socket.setNoDelay(true)
    this.#socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    this.#socket.on('error', (error) => parts.log.debug({ err: error }, 'the link to the leader broke'))
    this.#socket.on('close', () => this.end())
    this.#silence = setTimeout(() => this.end(), CONNECT_MAX_MS)
  }

  /** Whether orders may be forwarded. */
  get isReady(): boolean {
    return this.#isLeading && !this.#hasEnded
  }

  get underWay(): number {
    return this.#underWay.size
  }

  /**
   * Forwards an order with its key, together with others of the same turn of the event loop. Never rejects. Refuses by itself when
   * too many orders are under way or the leader does not take its bytes.
   */
  forward(order: Order, isFresh: boolean): Promise<ForwardOutcome> {
    const { userId } = order
    const own = this.#perPlayer.get(userId) ?? 0
    if (own >= PER_PLAYER_MAX) return refuse(new TooManyOrdersError(PER_PLAYER_MAX))
    if (this.#underWay.size >= UNDER_WAY_MAX || this.#socket.writableLength > UNSENT_BYTES_MAX) {
      return refuse(new BusyError())
    }
    const id = ++this.#lastId
    if (this.#outbox.length === 0) setImmediate(() => this.#flush())
    this.#outbox.push([id, isFresh, encodeOrder(order)])
    this.#perPlayer.set(userId, own + 1)
    return new Promise((settle) => this.#underWay.set(id, { userId, sentMs: performance.now(), settle }))
  }

  /**
   * Asks whether the leader has an order under way; resolves to its kind, or null. Throws `BusyError` if the link ends before the
   * answer, or the answer takes too long.
   */
  async findPending(userId: UserId, requestKey: string): Promise<Order['kind'] | null> {
    if (this.#hasEnded || this.#questions.size >= QUESTIONS_MAX) throw new BusyError()
    const id = ++this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers<Order['kind'] | null>()
    this.#questions.set(id, { resolve, reject })
    const timeout = setTimeout(() => reject(new BusyError()), QUESTION_MAX_MS)
    this.#write({ echo: this.#echo ?? 0, question: [id, userId, requestKey] })
    try {
      return await promise
    } finally {
      clearTimeout(timeout)
      this.#questions.delete(id)
    }
  }

  /** Gives the link up; what is under way is lost. May be called twice. */
  end(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    clearTimeout(this.#silence)
    this.#socket.destroy()
    const unsent = new Set(this.#outbox.map(([id]) => id))
    for (const [id, { settle, sentMs }] of this.#underWay) {
      settle(unsent.has(id) ? { kind: 'declined' } : { kind: 'lost', sentMs })
    }
    this.#underWay.clear()
    for (const { reject } of this.#questions.values()) reject(new BusyError())
    this.#parts.onEnd(this.#echo !== null)
  }

  #flush(): void {
    if (this.#hasEnded) return
    const nowMs = performance.now()
    for (const [id] of this.#outbox) {
      const forwarded = this.#underWay.get(id)
      if (forwarded !== undefined) forwarded.sentMs = nowMs
    }
    this.#write({ echo: this.#echo ?? 0, orders: this.#outbox })
    this.#outbox = []
  }

  #write(message: FollowerMessage): void {
    this.#socket.write(encodeFrame(message))
  }

  #receive(chunk: Buffer): void {
    try {
      for (const message of this.#reader.push(chunk)) this.#take(message as LeaderMessage)
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'the leader sent what cannot be read')
      this.end()
    }
  }

  #take(message: LeaderMessage): void {
    if ('events' in message) this.#takeEvents(message.events)
    else if ('answers' in message) for (const answer of message.answers) this.#settle(answer)
    else if ('pending' in message) this.#questions.get(message.pending[0])?.resolve(message.pending[1])
    else {
      this.#echo = message.t
      this.#isLeading = message.isLeading
      clearTimeout(this.#silence)
      this.#silence = setTimeout(() => this.#suspect(), SILENCE_MAX_MS)
      this.#write({ echo: message.t })
    }
  }

  #takeEvents(events: readonly MarketEvent[]): void {
    for (const event of events) if (event.type === 'trade') this.#trades.set(event.trade.id, event.trade)
    for (const id of this.#trades.keys()) {
      if (this.#trades.size <= TRADES_KEPT) break
      this.#trades.delete(id)
    }
    this.#parts.receive(events)
  }

  #toOutcome(answer: EncodedAnswer, { sentMs }: Forwarded): ForwardOutcome {
    if (answer[1] !== 'traded') return toOutcome(answer)
    const [, , tradeId, position] = answer
    const trade = this.#trades.get(tradeId)
    // Without its trade the answer is lost like any other.
    return trade === undefined ? { kind: 'lost', sentMs } : { kind: 'done', receipt: { trade, position } }
  }

  /** After a stall of this process, waiting heartbeats are read before the link is given up. */
  #suspect(): void {
    const heard = this.#echo
    setImmediate(() => {
      if (this.#echo === heard) this.end()
    })
  }

  #settle(answer: EncodedAnswer): void {
    const [id] = answer
    const forwarded = this.#underWay.get(id)
    if (forwarded === undefined) return
    this.#underWay.delete(id)
    const own = (this.#perPlayer.get(forwarded.userId) ?? 1) - 1
    if (own === 0) this.#perPlayer.delete(forwarded.userId)
    else this.#perPlayer.set(forwarded.userId, own)
    forwarded.settle(this.#toOutcome(answer, forwarded))
  }
}

function toOutcome(answer: Exclude<EncodedAnswer, readonly [number, 'traded', ...unknown[]]>): ForwardOutcome {
  const [, kind, content] = answer
  if (kind === 'done') return { kind, receipt: content as Receipt }
  if (kind === 'refused') return { kind, error: decodeError(content) }
  if (kind === 'failed') return { kind: 'refused', error: new Error(`the leading engine failed: ${content}`) }
  return { kind }
}

async function refuse(error: Error): Promise<ForwardOutcome> {
  return { kind: 'refused', error }
}
