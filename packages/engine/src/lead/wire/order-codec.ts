import assert from 'node:assert/strict'
import { Decimal, type Sol, type Tokens } from '@papermoon/amm'
import { DomainError } from '../../errors.ts'
import type { TokenId, UserId } from '../../ids.ts'
import type { BuyOrder, LaunchOrder, Order, RugOrder, SellOrder } from '../../orders.ts'
import { type ByteReader, type ByteWriter, FrameError, type Text } from './bytes.ts'

/** An order that may be forwarded: the node makes a key if the caller gave none. */
export type KeyedOrder = Order & { readonly requestKey: string }

/** All properties but the trace, so that a new one cannot be forgotten here: the compiler asks for it. */
type Complete<T extends Order> = { readonly [K in keyof Required<Omit<T, 'trace'>>]: T[K] }

const KINDS = ['buy', 'sell', 'launch', 'rug'] as const

const IS_BOT_GIVEN = 1
const IS_BOT = 2
const HAS_SPENDING_KEY = 4
const HAS_REFUSAL = 8

/** Min bytes of an order. */
export const ORDER_BYTES_MIN = 16

/** Writes an order without its trace; amounts are exact decimals as text. Throws a `RangeError` for a text or number that is out of bounds. */
export function writeOrder(to: ByteWriter, order: KeyedOrder): void {
  const { isBot, spendingKeyId, refusal } = order
  to.u8(KINDS.indexOf(order.kind))
  to.u8(
    (isBot === undefined ? 0 : IS_BOT_GIVEN) |
      (isBot === true ? IS_BOT : 0) |
      (spendingKeyId === undefined ? 0 : HAS_SPENDING_KEY) |
      (refusal === undefined ? 0 : HAS_REFUSAL),
  )
  to.u32(order.userId)
  to.u32(order.kind === 'launch' ? 0 : order.tokenId)
  if (spendingKeyId !== undefined) to.u32(spendingKeyId)
  to.texts(listTexts(order))
  if (refusal !== undefined) writeError(to, refusal)
}

function listTexts(order: KeyedOrder): Text[] {
  const { requestKey } = order
  if (order.kind === 'buy') return [requestKey, order.sol.toFixed(), order.minTokensOut?.toFixed()]
  if (order.kind === 'sell') return [requestKey, order.tokens.toFixed(), order.minSolOut?.toFixed()]
  if (order.kind === 'rug') return [requestKey]
  const { name, symbol, emoji, description, website, x, telegram } = order.token
  return [requestKey, order.initialBuy?.toFixed(), name, symbol, emoji, description, website, x, telegram]
}

const TEXTS = { buy: 3, sell: 3, launch: 9, rug: 1 } as const

export function readOrder(from: ByteReader): KeyedOrder {
  const kind = KINDS[from.u8()]
  if (kind === undefined) throw new FrameError('there is no such kind of order')
  const flags = from.u8()
  const userId = from.u32() as UserId
  const tokenId = from.u32() as TokenId
  const spendingKeyId = (flags & HAS_SPENDING_KEY) === 0 ? undefined : from.u32()
  const texts = from.texts(TEXTS[kind])
  const requestKey = need(texts[0])
  const isBot = (flags & IS_BOT_GIVEN) === 0 ? undefined : (flags & IS_BOT) !== 0
  const refusal = (flags & HAS_REFUSAL) === 0 ? undefined : readError(from)
  const base = { userId, requestKey, isBot, spendingKeyId, refusal }
  if (kind === 'launch') return { ...base, ...readLaunch(texts) }
  if (kind === 'rug') return { ...base, kind, tokenId } satisfies Complete<RugOrder>
  const amount = toDecimal(need(texts[1]))
  const minimum = texts[2] == null ? undefined : toDecimal(texts[2])
  return kind === 'buy'
    ? ({ ...base, kind, tokenId, sol: amount as Sol, minTokensOut: minimum as Tokens } satisfies Complete<BuyOrder>)
    : ({ ...base, kind, tokenId, tokens: amount as Tokens, minSolOut: minimum as Sol } satisfies Complete<SellOrder>)
}

type LaunchPart = Pick<Complete<LaunchOrder>, 'kind' | 'token' | 'initialBuy'>

function readLaunch([, initialBuy, name, symbol, emoji, ...links]: readonly (string | null)[]): LaunchPart {
  const [description = null, website = null, x = null, telegram = null] = links
  const token = { name: need(name), symbol: need(symbol), emoji: need(emoji), description, website, x, telegram }
  return { kind: 'launch', token, initialBuy: initialBuy == null ? undefined : (toDecimal(initialBuy) as Sol) }
}

const NO_KIND = 255

export function writeKind(to: ByteWriter, kind: Order['kind'] | null): void {
  to.u8(kind === null ? NO_KIND : KINDS.indexOf(kind))
}

export function readKind(from: ByteReader): Order['kind'] | null {
  const number = from.u8()
  const kind = KINDS[number]
  if (kind === undefined && number !== NO_KIND) throw new FrameError('there is no such kind of order')
  return kind ?? null
}

export function need(text: Text): string {
  if (text == null) throw new FrameError('a text is missing')
  return text
}

function toDecimal(text: string): Decimal {
  try {
    const amount = new Decimal(text)
    assert(amount.isFinite())
    return amount
  } catch {
    throw new FrameError('an amount is no decimal')
  }
}

/** The error of a rule that another node found broken. */
class ForwardedError extends DomainError {
  readonly code: string

  constructor({ code, message, ...more }: Pick<DomainError, 'code' | 'message' | 'retryAfterS' | 'requestKey'>) {
    super(message)
    this.code = code
    Object.assign(this, more)
  }
}

/** Writes a rule's error: its code, its sentence, and what a caller may do. */
export function writeError(to: ByteWriter, { code, message, retryAfterS, requestKey }: DomainError): void {
  to.texts([code, message, requestKey])
  to.f64(retryAfterS ?? Number.NaN)
}

export function readError(from: ByteReader): DomainError {
  const [code, message, requestKey] = from.texts(3)
  const retryAfterS = from.f64()
  return new ForwardedError({
    code: need(code),
    message: need(message),
    ...(!Number.isNaN(retryAfterS) && { retryAfterS }),
    ...(requestKey != null && { requestKey }),
  })
}
