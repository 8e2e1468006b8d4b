import type { Logger } from 'pino'
import { BusyError, TooManyOrdersError } from '../../errors.ts'
import type { MarketEvent, Trade } from '../../events/market-events.ts'
import type { UserId } from '../../ids.ts'
import type { Order } from '../../orders.ts'
import type { Receipt } from '../../pending-order.ts'
import type { Runtime } from '../runtime.ts'
import type { Answer } from '../wire/answer-codec.ts'
import { FrameReader, VersionError } from '../wire/frames.ts'
import {
  decodeLeaderMessage,
  encodeFollowerMessage,
  type ForwardedOrder,
  type LeaderMessage,
} from '../wire/messages.ts'
import type { KeyedOrder } from '../wire/order-codec.ts'
import {
  FRAME_BYTES_MAX,
  QUESTION_MAX_MS,
  QUESTIONS_MAX,
  SILENCE_MAX_MS,
  UNDER_WAY_MAX,
  UNSENT_BYTES_MAX,
} from '../wire/protocol.ts'
import type { Channel, ChannelUser } from './channel.ts'

const CONNECT_MAX_MS = 2_000
const PER_PLAYER_MAX = 8
/** Many times the trades between an event and the answer that belongs to it. */
const TRADES_KEPT = 8_192

/** Outcome of a forwarded order. */
export type ForwardOutcome =
  | { readonly kind: 'done'; readonly receipt: Receipt }
  | { readonly kind: 'refused'; readonly error: Error }
  /** Never begun by the leader: it may run elsewhere. */
  | { readonly kind: 'declined' }
  /** The link ended before the answer: the leader may have placed the order. `sentMs`: by the monotonic clock. */
  | { readonly kind: 'lost'; readonly sentMs: number }

interface LinkParts {
  readonly runtime: Runtime
  readonly log: Logger
  dial(user: ChannelUser): Channel | null
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
export class LeadLink implements ChannelUser {
  readonly #parts: LinkParts
  readonly #channel: Channel | null
  readonly #reader = new FrameReader(FRAME_BYTES_MAX)
  readonly #underWay = new Map<number, Forwarded>()
  readonly #perPlayer = new Map<UserId, number>()
  /** Callbacks for the leader's answers to questions. */
  readonly #questions = new Map<number, { resolve(kind: Order['kind'] | null): void; reject(error: Error): void }>()
  #outbox: ForwardedOrder[] = []
  /** The last trades of the market by id: answers refer to them. */
  readonly #trades = new Map<number, Trade>()
  #lastId = 0
  /** The leader's clock at its last heartbeat; null before the first. */
  #echo: number | null = null
  #isLeading = false
  #hasEnded = false
  #cancelSilence: () => void

  constructor(parts: LinkParts) {
    this.#parts = parts
    this.#cancelSilence = parts.runtime.after(CONNECT_MAX_MS, () => this.end())
    this.#channel = parts.dial(this)
    if (this.#channel === null) parts.runtime.nextTurn(() => this.end())
  }

  /** Whether orders may be forwarded. */
  get isReady(): boolean {
    return this.#isLeading && !this.#hasEnded
  }

  /**
   * Forwards an order with its key, together with others of the same turn of the event loop. Never rejects. Refuses by itself when
   * too many orders are under way or the leader does not take its bytes.
   */
  forward(order: KeyedOrder, isFresh: boolean): Promise<ForwardOutcome> {
    const { userId } = order
    const { runtime } = this.#parts
    const own = this.#perPlayer.get(userId) ?? 0
    if (own >= PER_PLAYER_MAX) return refuse(new TooManyOrdersError(PER_PLAYER_MAX))
    if (this.#underWay.size >= UNDER_WAY_MAX || this.#unsentBytes > UNSENT_BYTES_MAX) return refuse(new BusyError())
    const id = this.#nextId()
    if (this.#outbox.length === 0) runtime.nextTurn(() => this.#flush())
    this.#outbox.push({ id, isFresh, order })
    this.#perPlayer.set(userId, own + 1)
    return new Promise((settle) => this.#underWay.set(id, { userId, sentMs: runtime.nowMs(), settle }))
  }

  /**
   * Asks whether the leader has an order under way; resolves to its kind, or null. Throws `BusyError` if the link ends before the
   * answer, or the answer takes too long.
   */
  async findPending(userId: UserId, requestKey: string): Promise<Order['kind'] | null> {
    if (this.#hasEnded || this.#questions.size >= QUESTIONS_MAX) throw new BusyError()
    const id = this.#nextId()
    const { promise, resolve, reject } = Promise.withResolvers<Order['kind'] | null>()
    const cancel = this.#parts.runtime.after(QUESTION_MAX_MS, () => reject(new BusyError()))
    this.#questions.set(id, { resolve, reject })
    this.#channel?.write([encodeFollowerMessage({ type: 'question', id, userId, requestKey })])
    try {
      return await promise
    } finally {
      cancel()
      this.#questions.delete(id)
    }
  }

  /** Gives the link up; what is under way is lost. May be called twice. */
  end(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#cancelSilence()
    this.#channel?.destroy()
    const unsent = new Set(this.#outbox.map(({ id }) => id))
    for (const [id, { settle, sentMs }] of this.#underWay) {
      settle(unsent.has(id) ? { kind: 'declined' } : { kind: 'lost', sentMs })
    }
    this.#underWay.clear()
    for (const { reject } of this.#questions.values()) reject(new BusyError())
    this.#parts.onEnd(this.#echo !== null)
  }

  onClose(): void {
    this.end()
  }

  receive(chunk: Buffer): void {
    if (this.#hasEnded) return
    try {
      for (const frame of this.#reader.push(chunk)) this.#take(decodeLeaderMessage(frame))
    } catch (error) {
      const level = error instanceof VersionError ? 'debug' : 'warn'
      this.#parts.log[level]({ err: error }, 'the leader sent what cannot be read')
      this.end()
    }
  }

  #nextId(): number {
    this.#lastId = (this.#lastId + 1) >>> 0
    return this.#lastId
  }

  get #unsentBytes(): number {
    return this.#channel?.unsentBytes ?? 0
  }

  #flush(): void {
    if (this.#hasEnded) return
    const nowMs = this.#parts.runtime.nowMs()
    for (const { id } of this.#outbox) {
      const forwarded = this.#underWay.get(id)
      if (forwarded !== undefined) forwarded.sentMs = nowMs
    }
    const orders = this.#outbox
    this.#outbox = []
    try {
      this.#channel?.write([encodeFollowerMessage({ type: 'orders', echo: this.#echo ?? 0, orders })])
    } catch (error) {
      this.#parts.log.error({ err: error, orders: orders.length }, 'orders could not be forwarded')
      for (const { id } of orders) this.#settle(id, () => ({ kind: 'declined' }))
    }
  }

  #take(message: LeaderMessage): void {
    if (message.type === 'events') this.#takeEvents(message.events)
    else if (message.type === 'answers') {
      for (const answer of message.answers) this.#settle(answer.id, (it) => this.#toOutcome(answer, it))
    } else if (message.type === 'pending') this.#questions.get(message.id)?.resolve(message.kind)
    else {
      this.#echo = message.t
      this.#isLeading = message.isLeading
      this.#cancelSilence()
      this.#cancelSilence = this.#parts.runtime.after(SILENCE_MAX_MS, () => this.#suspect())
      this.#channel?.write([encodeFollowerMessage({ type: 'orders', echo: message.t, orders: [] })])
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

  #toOutcome(answer: Answer, { sentMs }: Forwarded): ForwardOutcome {
    if (answer.kind === 'refused') return { kind: 'refused', error: answer.error }
    if (answer.kind === 'failed')
      return { kind: 'refused', error: new Error(`the leading engine failed: ${answer.message}`) }
    if (answer.kind !== 'traded') return answer
    const { tradeId, position } = answer
    const trade = this.#trades.get(tradeId)
    // Without its trade the answer is lost like any other.
    return trade === undefined ? { kind: 'lost', sentMs } : { kind: 'done', receipt: { trade, position } }
  }

  /** After a stall of this process, waiting heartbeats are read before the link is given up. */
  #suspect(): void {
    const heard = this.#echo
    this.#parts.runtime.nextTurn(() => {
      if (this.#echo === heard) this.end()
    })
  }

  #settle(id: number, toOutcome: (forwarded: Forwarded) => ForwardOutcome): void {
    const forwarded = this.#underWay.get(id)
    if (forwarded === undefined) return
    this.#underWay.delete(id)
    const own = (this.#perPlayer.get(forwarded.userId) ?? 1) - 1
    if (own === 0) this.#perPlayer.delete(forwarded.userId)
    else this.#perPlayer.set(forwarded.userId, own)
    forwarded.settle(toOutcome(forwarded))
  }
}

async function refuse(error: Error): Promise<ForwardOutcome> {
  return { kind: 'refused', error }
}
