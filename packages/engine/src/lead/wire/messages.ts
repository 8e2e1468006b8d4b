import type { MarketEvent } from '../../events/market-events.ts'
import type { UserId } from '../../ids.ts'
import type { Order } from '../../orders.ts'
import { ANSWER_BYTES_MIN, type Answer, readAnswer, writeAnswer } from './answer-codec.ts'
import { ByteReader, ByteWriter, FrameError } from './bytes.ts'
import { EVENT_BYTES_MIN, readEvent, writeEvent } from './event-codec.ts'
import { encodeFrame, readType } from './frames.ts'
import { type KeyedOrder, need, ORDER_BYTES_MIN, readKind, readOrder, writeKind, writeOrder } from './order-codec.ts'

/** An order on its way, with the number that its answer will carry. */
export interface ForwardedOrder {
  readonly id: number
  /** Whether the sender just made the key. */
  readonly isFresh: boolean
  readonly order: KeyedOrder
  /** The span of a traced order; read from its trace when it is sent. */
  readonly traceparent?: string
}

/** A follower to the leader. */
export type FollowerMessage =
  /** `echo`: the `t` of the last heartbeat. */
  | { readonly type: 'orders'; readonly echo: number; readonly orders: readonly ForwardedOrder[] }
  /** Whether the leader has an order under way. */
  | { readonly type: 'question'; readonly id: number; readonly userId: UserId; readonly requestKey: string }

/** The leader to a follower. */
export type LeaderMessage =
  /** A heartbeat: the leader's clock in ms, and whether it takes orders. */
  | { readonly type: 'heartbeat'; readonly t: number; readonly isLeading: boolean }
  | { readonly type: 'events'; readonly events: readonly MarketEvent[] }
  | { readonly type: 'answers'; readonly answers: readonly Answer[] }
  /** To a question: the kind of the order; null if none is under way. */
  | { readonly type: 'pending'; readonly id: number; readonly kind: Order['kind'] | null }

const HEARTBEAT = 1
const EVENTS = 2
const ANSWERS = 3
const ORDERS = 4
const QUESTION = 5
const PENDING = 6

/** Flags of an order. */
const IS_FRESH = 1
const IS_TRACED = 2

const writer = new ByteWriter()

export function encodeFollowerMessage(message: FollowerMessage): Buffer {
  if (message.type === 'question') {
    return encodeFrame(writer, QUESTION, (to) => {
      to.u32(message.id)
      to.u32(message.userId)
      to.texts([message.requestKey])
    })
  }
  const { echo, orders } = message
  return encodeFrame(writer, ORDERS, (to) => {
    to.f64(echo)
    to.u32(orders.length)
    for (const { id, isFresh, order } of orders) {
      to.u32(id)
      const { trace } = order
      to.u8((isFresh ? IS_FRESH : 0) | (trace === undefined ? 0 : IS_TRACED))
      if (trace !== undefined) to.texts([trace.traceparent])
      writeOrder(to, order)
    }
  })
}

/** Throws `FrameError`. */
export function decodeFollowerMessage(frame: Buffer): FollowerMessage {
  const from = new ByteReader(frame)
  const type = readType(from)
  if (type === QUESTION) return readQuestion(from)
  if (type !== ORDERS) throw new FrameError('followers send no messages of this type')
  const echo = from.f64()
  const orders = readList(from, ORDER_BYTES_MIN, () => readForwarded(from))
  return { type: 'orders', echo, orders }
}

function readForwarded(from: ByteReader): ForwardedOrder {
  const id = from.u32()
  const flags = from.u8()
  const traced = (flags & IS_TRACED) === 0 ? {} : { traceparent: need(from.texts(1)[0]) }
  return { id, isFresh: (flags & IS_FRESH) !== 0, ...traced, order: readOrder(from) }
}

function readQuestion(from: ByteReader): FollowerMessage {
  const id = from.u32()
  const userId = from.u32() as UserId
  const requestKey = need(from.texts(1)[0])
  from.end()
  return { type: 'question', id, userId, requestKey }
}

export function encodeLeaderMessage(message: LeaderMessage): Buffer {
  if (message.type === 'heartbeat') {
    return encodeFrame(writer, HEARTBEAT, (to) => {
      to.f64(message.t)
      to.u8(message.isLeading ? 1 : 0)
    })
  }
  if (message.type === 'pending') {
    return encodeFrame(writer, PENDING, (to) => {
      to.u32(message.id)
      writeKind(to, message.kind)
    })
  }
  if (message.type === 'events') {
    return encodeFrame(writer, EVENTS, (to) => {
      to.u32(message.events.length)
      for (const event of message.events) writeEvent(to, event)
    })
  }
  return encodeFrame(writer, ANSWERS, (to) => {
    to.u32(message.answers.length)
    for (const answer of message.answers) writeAnswer(to, answer)
  })
}

/** Throws `FrameError`. */
export function decodeLeaderMessage(frame: Buffer): LeaderMessage {
  const from = new ByteReader(frame)
  const type = readType(from)
  if (type === EVENTS) return { type: 'events', events: readList(from, EVENT_BYTES_MIN, () => readEvent(from)) }
  if (type === ANSWERS) return { type: 'answers', answers: readList(from, ANSWER_BYTES_MIN, () => readAnswer(from)) }
  if (type === PENDING) return readPending(from)
  if (type !== HEARTBEAT) throw new FrameError('leaders send no messages of this type')
  const heartbeat = { type: 'heartbeat', t: from.f64(), isLeading: from.u8() === 1 } as const
  from.end()
  return heartbeat
}

function readPending(from: ByteReader): LeaderMessage {
  const id = from.u32()
  const kind = readKind(from)
  from.end()
  return { type: 'pending', id, kind }
}

function readList<T>(from: ByteReader, bytesMin: number, read: () => T): T[] {
  const count = from.count(bytesMin)
  const values: T[] = []
  for (let i = 0; i < count; i++) values.push(read())
  from.end()
  return values
}
