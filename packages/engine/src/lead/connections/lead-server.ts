import type { Logger } from 'pino'
import { BusyError, NotBegunError } from '../../errors.ts'
import type { MarketEvent } from '../../events/market-events.ts'
import type { OrderTrace } from '../../order-trace.ts'
import type { TradingEngine } from '../../trading-engine.ts'
import type { LeadAddresses } from '../lease/leader.ts'
import type { Runtime } from '../runtime.ts'
import { type Answer, toAnswer, toFailure } from '../wire/answer-codec.ts'
import { FrameReader } from '../wire/frames.ts'
import { decodeFollowerMessage, encodeLeaderMessage, type FollowerMessage } from '../wire/messages.ts'
import { FRAME_BYTES_MAX, HEARTBEAT_MS, UNDER_WAY_MAX, UNSENT_BYTES_MAX, VALID_MS } from '../wire/protocol.ts'
import type { Channel, ChannelUser, LeadListener, LeadNetwork } from './channel.ts'

/** A follower answers each heartbeat; one that is silent for this many is cut off. */
const UNANSWERED_MAX = 20
/** Max time for the last answers to leave. */
const GOODBYE_MAX_MS = 3_000

interface ServerParts {
  readonly engine: TradingEngine
  readonly runtime: Runtime
  readonly log: Logger
  /** Follows an order that another node traces; null if this node does not. */
  resumeTrace?(traceparent: string): OrderTrace | null
}

/** Takes orders of other nodes while this one leads, and sends them the events of every batch before its answers. */
export class LeadServer {
  readonly #parts: ServerParts
  readonly #followers = new Set<Follower>()
  #listener: LeadListener | null = null
  #isLeading = false
  #cancelBeat: () => void = () => {}

  constructor(parts: ServerParts) {
    this.#parts = parts
  }

  get followers(): number {
    return this.#followers.size
  }

  /** Resolves to where it can be called. Rejects if the address cannot be used. */
  async listen(listen: NonNullable<LeadNetwork['listen']>): Promise<LeadAddresses> {
    this.#listener = await listen((channel) => this.#welcome(channel))
    this.#beatOn()
    return this.#listener
  }

  /** Takes orders from now on, or declines them. */
  setLeading(isLeading: boolean): void {
    this.#isLeading = isLeading
    this.#beat()
  }

  /** Call before the orders of a batch are answered. */
  publish(events: readonly MarketEvent[]): void {
    if (this.#followers.size === 0) return
    const frame = encodeLeaderMessage({ type: 'events', events })
    for (const follower of this.#followers) follower.send(frame)
  }

  /** Declines further orders; ends all links once what is under way has been answered. */
  async close(): Promise<void> {
    this.#cancelBeat()
    this.setLeading(false)
    this.#listener?.close()
    await Promise.all([...this.#followers].map((follower) => follower.end()))
  }

  #welcome(channel: Channel): ChannelUser {
    const { engine, runtime, log, resumeTrace } = this.#parts
    const follower: Follower = new Follower({
      channel,
      runtime,
      log,
      ...(resumeTrace && { resumeTrace }),
      submit: (order, delivery) =>
        this.#isLeading ? engine.submit(order, delivery) : Promise.reject(new NotBegunError()),
      findPending: (userId, requestKey) => engine.findPending(userId, requestKey),
      onClose: () => this.#followers.delete(follower),
    })
    this.#followers.add(follower)
    follower.send(this.#encodeBeat())
    return follower
  }

  #beatOn(): void {
    this.#cancelBeat = this.#parts.runtime.after(HEARTBEAT_MS, () => {
      for (const follower of this.#followers) follower.countBeat()
      this.#beat()
      this.#beatOn()
    })
  }

  #beat(): void {
    if (this.#followers.size === 0) return
    const frame = this.#encodeBeat()
    for (const follower of this.#followers) follower.send(frame)
  }

  #encodeBeat(): Buffer {
    return encodeLeaderMessage({ type: 'heartbeat', t: this.#parts.runtime.nowMs(), isLeading: this.#isLeading })
  }
}

interface FollowerParts {
  readonly channel: Channel
  readonly runtime: Runtime
  readonly log: Logger
  readonly submit: TradingEngine['submit']
  readonly findPending: TradingEngine['findPending']
  resumeTrace?(traceparent: string): OrderTrace | null
  onClose(): void
}

/** One node that forwards its orders. */
class Follower implements ChannelUser {
  readonly #parts: FollowerParts
  readonly #reader = new FrameReader(FRAME_BYTES_MAX)
  /** Heartbeats and events that leave in the next turn, before the answers. */
  #outbox: Buffer[] = []
  #answers: Answer[] = []
  #isFlushing = false
  #underWay = 0
  #unanswered = 0
  #isClosed = false
  /** Called when nothing is under way any more, or the channel has closed. */
  #onIdle: () => void = () => {}
  #onClosed: () => void = () => {}

  constructor(parts: FollowerParts) {
    this.#parts = parts
  }

  /** Sends a frame with the others of this turn of the event loop. */
  send(frame: Buffer): void {
    this.#outbox.push(frame)
    this.#flushSoon()
  }

  /** To be called with every heartbeat. Counts, so that a leader that was frozen does not take its own pause for theirs. */
  countBeat(): void {
    this.#unanswered++
    if (this.#unanswered > UNANSWERED_MAX) this.#parts.channel.destroy()
  }

  async end(): Promise<void> {
    const { channel, runtime } = this.#parts
    const cancel = runtime.after(GOODBYE_MAX_MS, () => channel.destroy())
    if (this.#underWay > 0 && !this.#isClosed) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve
      })
    }
    if (!this.#isClosed) {
      const closed = new Promise<void>((resolve) => {
        this.#onClosed = resolve
      })
      this.#flush()
      channel.end()
      await closed
    }
    cancel()
  }

  onClose(): void {
    this.#isClosed = true
    this.#parts.onClose()
    this.#onIdle()
    this.#onClosed()
  }

  receive(chunk: Buffer): void {
    this.#unanswered = 0
    try {
      for (const frame of this.#reader.push(chunk)) this.#take(decodeFollowerMessage(frame))
    } catch (error) {
      this.#parts.log.debug({ err: error }, 'a follower sent what cannot be read')
      this.#parts.channel.destroy()
    }
  }

  #take(message: FollowerMessage): void {
    if (message.type === 'question') {
      void this.#answerQuestion(message)
      return
    }
    const { echo, orders } = message
    const notAfterMs = echo + VALID_MS
    for (const { id, isFresh, order, traceparent } of orders) {
      if (this.#underWay >= UNDER_WAY_MAX) {
        this.#answer(toFailure(id, new BusyError()))
        continue
      }
      this.#underWay++
      const trace = traceparent === undefined ? null : this.#parts.resumeTrace?.(traceparent)
      this.#parts.submit(trace == null ? order : { ...order, trace }, { isFresh, notAfterMs }).then(
        (receipt) => this.#settle(toAnswer(id, receipt)),
        (error: unknown) => this.#settle(toFailure(id, error)),
      )
    }
  }

  async #answerQuestion({ id, userId, requestKey }: Extract<FollowerMessage, { type: 'question' }>): Promise<void> {
    const kind = await this.#parts.findPending(userId, requestKey).catch(() => null)
    this.send(encodeLeaderMessage({ type: 'pending', id, kind }))
  }

  #settle(answer: Answer): void {
    this.#underWay--
    this.#answer(answer)
  }

  #answer(answer: Answer): void {
    this.#answers.push(answer)
    this.#flushSoon()
  }

  #flushSoon(): void {
    if (this.#isFlushing || this.#isClosed) return
    this.#isFlushing = true
    this.#parts.runtime.nextTurn(() => {
      this.#flush()
      if (this.#underWay === 0) this.#onIdle()
    })
  }

  /** One write with all frames of this turn. Cuts the follower off if it does not take what it was sent. */
  #flush(): void {
    this.#isFlushing = false
    if (this.#isClosed) return
    const { channel, log } = this.#parts
    const chunks = this.#outbox
    const answers = this.#answers
    this.#outbox = []
    this.#answers = []
    try {
      if (answers.length > 0) chunks.push(encodeLeaderMessage({ type: 'answers', answers }))
    } catch (error) {
      log.error({ err: error }, 'answers could not be sent')
      channel.destroy()
    }
    if (channel.unsentBytes > UNSENT_BYTES_MAX) channel.destroy()
    else if (chunks.length > 0) channel.write(chunks)
  }
}
