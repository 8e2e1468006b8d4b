import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { performance } from 'node:perf_hooks'
import { createServer, type Server, type TLSSocket } from 'node:tls'
import type { Logger } from 'pino'
import { BusyError, NotBegunError } from '../errors.ts'
import type { MarketEvent } from '../market-events.ts'
import type { TradingEngine } from '../trading-engine.ts'
import { encodeFrame, FrameReader } from './frames.ts'
import { decodeOrder, type EncodedAnswer, encodeFailure, encodeReceipt } from './order-codec.ts'
import {
  type FollowerMessage,
  FRAME_BYTES_MAX,
  HEARTBEAT_MS,
  type LeaderMessage,
  PROTOCOL,
  TLS_OPTIONS,
  UNDER_WAY_MAX,
  UNSENT_BYTES_MAX,
  VALID_MS,
} from './protocol.ts'

/** Max connections, with those that are still to prove themselves. */
const CONNECTIONS_MAX = 256
const HANDSHAKE_MAX_MS = 2_000
/** A follower answers each heartbeat; one that is silent for this long is cut off. */
const FOLLOWER_SILENCE_MAX_MS = 5_000
/** Min time between two log lines about strangers. */
const QUIET_MS = 60_000
/** Max time for the last answers to leave. */
const GOODBYE_MAX_MS = 3_000

interface ServerParts {
  readonly engine: TradingEngine
  /** Known to the nodes of this database only. */
  readonly secret: Buffer
  readonly log: Logger
}

/** Takes orders of other nodes while this one leads, and sends them the events of every batch before its answers. */
export class LeadServer {
  readonly #parts: ServerParts
  readonly #server: Server
  readonly #followers = new Set<Follower>()
  #isLeading = false
  #heartbeat: NodeJS.Timeout | undefined
  #quietUntilMs = 0

  constructor(parts: ServerParts) {
    this.#parts = parts
    this.#server = createServer({
      ...TLS_OPTIONS,
      handshakeTimeout: HANDSHAKE_MAX_MS,
      pskCallback: (_socket, identity) => (identity === PROTOCOL ? parts.secret : null),
    })
    this.#server.maxConnections = CONNECTIONS_MAX
    this.#server.on('secureConnection', (socket) => this.#welcome(socket))
    this.#server.on('tlsClientError', (error) => this.#reportStranger(error))
  }

  get followers(): number {
    return this.#followers.size
  }

  /** Resolves to the port. Rejects if the address cannot be used. */
  async listen(host: string, port: number): Promise<number> {
    this.#server.listen(port, host)
    await once(this.#server, 'listening')
    this.#server.on('error', (error) => this.#parts.log.warn({ err: error }, 'the port of orders failed'))
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS).unref()
    return (this.#server.address() as AddressInfo).port
  }

  /** Takes orders from now on, or declines them. */
  setLeading(isLeading: boolean): void {
    this.#isLeading = isLeading
    this.#beat()
  }

  /** Call before the orders of a batch are answered. */
  publish(events: readonly MarketEvent[]): void {
    if (this.#followers.size === 0) return
    const frame = encodeFrame({ events } satisfies LeaderMessage)
    for (const follower of this.#followers) follower.send(frame)
  }

  /** Declines further orders; ends all links once what is under way has been answered. */
  async close(): Promise<void> {
    clearInterval(this.#heartbeat)
    this.setLeading(false)
    this.#server.close()
    await Promise.all([...this.#followers].map((follower) => follower.end()))
  }

  #welcome(socket: TLSSocket): void {
    const { engine } = this.#parts
    const follower = new Follower(socket, {
      submit: (order, delivery) =>
        this.#isLeading ? engine.submit(order, delivery) : Promise.reject(new NotBegunError()),
      findPending: (userId, requestKey) => engine.findPending(userId, requestKey),
    })
    this.#followers.add(follower)
    socket.on('close', () => this.#followers.delete(follower))
    socket.on('error', (error) => this.#parts.log.debug({ err: error }, 'the link of a follower broke'))
    this.#beat()
  }

  /** A node that gave up dialling is no stranger. */
  #reportStranger(error: NodeJS.ErrnoException): void {
    const nowMs = performance.now()
    if (nowMs < this.#quietUntilMs || !error.code?.startsWith('ERR_SSL')) return
    this.#quietUntilMs = nowMs + QUIET_MS
    this.#parts.log.warn(
      { err: error },
      'the port for the orders of other nodes was called without the key of this database',
    )
  }

  #beat(): void {
    const frame = encodeFrame({ t: performance.now(), isLeading: this.#isLeading } satisfies LeaderMessage)
    for (const follower of this.#followers) follower.send(frame)
  }
}

type FollowedEngine = Pick<TradingEngine, 'submit' | 'findPending'>

/** One node that forwards its orders. */
class Follower {
  readonly #socket: TLSSocket
  readonly #engine: FollowedEngine
  readonly #reader = new FrameReader(FRAME_BYTES_MAX)
  #underWay = 0
  #answers: EncodedAnswer[] = []
  #onIdle: (() => void) | null = null

  constructor(socket: TLSSocket, engine: FollowedEngine) {
    this.#socket = socket
    this.#engine = engine
    socket.setNoDelay(true)
    socket.setTimeout(FOLLOWER_SILENCE_MAX_MS, () => socket.destroy())
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
  }

  /** Cuts the follower off if it does not take what it was sent. */
  send(frame: Buffer): void {
    if (this.#socket.destroyed || !this.#socket.writable) return
    if (this.#socket.writableLength > UNSENT_BYTES_MAX) this.#socket.destroy()
    else this.#socket.write(frame)
  }

  async end(): Promise<void> {
    const timeout = setTimeout(() => this.#socket.destroy(), GOODBYE_MAX_MS)
    const closed = new Promise<void>((resolve) => this.#socket.once('close', () => resolve()))
    if (this.#underWay > 0 && !this.#socket.destroyed) {
      await Promise.race([closed, new Promise<void>((resolve) => (this.#onIdle = resolve))])
    }
    this.#flush()
    if (!this.#socket.destroyed) {
      this.#socket.end()
      await closed
    }
    clearTimeout(timeout)
  }

  #receive(chunk: Buffer): void {
    try {
      for (const message of this.#reader.push(chunk)) this.#take(message as FollowerMessage)
    } catch (error) {
      this.#socket.destroy(error instanceof Error ? error : undefined)
    }
  }

  #take({ echo, orders = [], question }: FollowerMessage): void {
    if (question !== undefined) void this.#answerQuestion(question)
    const notAfterMs = echo + VALID_MS
    for (const [id, isFresh, encoded] of orders) {
      if (this.#underWay >= UNDER_WAY_MAX) {
        this.#answer(encodeFailure(id, new BusyError()))
        continue
      }
      this.#underWay++
      this.#engine
        .submit(decodeOrder(encoded), { isFresh, notAfterMs })
        .then(
          (receipt) => encodeReceipt(id, receipt),
          (error: unknown) => encodeFailure(id, error),
        )
        .then((answer) => {
          this.#underWay--
          this.#answer(answer)
        })
    }
  }

  async #answerQuestion([id, userId, requestKey]: NonNullable<FollowerMessage['question']>): Promise<void> {
    const kind = await this.#engine.findPending(userId, requestKey)
    this.send(encodeFrame({ pending: [id, kind] } satisfies LeaderMessage))
  }

  /** Answers of one turn of the event loop leave as one frame. */
  #answer(answer: EncodedAnswer): void {
    if (this.#answers.length === 0) setImmediate(() => this.#flush())
    this.#answers.push(answer)
  }

  #flush(): void {
    const answers = this.#answers
    this.#answers = []
    if (answers.length > 0) this.send(encodeFrame({ answers } satisfies LeaderMessage))
    if (this.#underWay === 0) this.#onIdle?.()
  }
}
