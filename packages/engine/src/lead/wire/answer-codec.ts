import { DomainError, NotBegunError } from '../../errors.ts'
import type { Trade } from '../../events/market-events.ts'
import type { TokenId } from '../../ids.ts'
import type { PlayerPosition } from '../../orders.ts'
import type { Receipt } from '../../pending-order.ts'
import { type ByteReader, type ByteWriter, FrameError, TEXT_MAX } from './bytes.ts'
import { readTrade, writeTrade } from './event-codec.ts'
import { need, readError, writeError } from './order-codec.ts'

/** The answer to a forwarded order, with the number that its sender gave it. */
export type Answer = { readonly id: number } & (
  | { readonly kind: 'done'; readonly receipt: Receipt }
  /** Most answers: the trade itself came with the events before. */
  | { readonly kind: 'traded'; readonly tradeId: number; readonly position: PlayerPosition }
  | { readonly kind: 'refused'; readonly error: DomainError }
  /** Never begun: the order may run elsewhere. */
  | { readonly kind: 'declined' }
  /** A defect, or data that the database refuses. Nothing was written. */
  | { readonly kind: 'failed'; readonly message: string }
)

const KINDS = ['done', 'traded', 'refused', 'declined', 'failed'] as const
const RECEIPTS = ['trade', 'launch', 'rug'] as const

/** Min bytes of an answer. */
export const ANSWER_BYTES_MIN = 5

export function toAnswer(id: number, receipt: Receipt): Answer {
  if (!('trade' in receipt) || receipt.isRepeat) return { id, kind: 'done', receipt }
  return { id, kind: 'traded', tradeId: receipt.trade.id, position: receipt.position }
}

export function toFailure(id: number, error: unknown): Answer {
  if (error instanceof NotBegunError) return { id, kind: 'declined' }
  if (error instanceof DomainError) return { id, kind: 'refused', error }
  return { id, kind: 'failed', message: error instanceof Error ? error.message : String(error) }
}

export function writeAnswer(to: ByteWriter, answer: Answer): void {
  to.u32(answer.id)
  to.u8(KINDS.indexOf(answer.kind))
  if (answer.kind === 'traded') {
    to.f64(answer.tradeId)
    writePosition(to, answer.position)
  } else if (answer.kind === 'done') writeReceipt(to, answer.receipt)
  else if (answer.kind === 'refused') writeError(to, answer.error)
  else if (answer.kind === 'failed') to.texts([answer.message.slice(0, TEXT_MAX)])
}

export function readAnswer(from: ByteReader): Answer {
  const id = from.u32()
  const kind = KINDS[from.u8()]
  if (kind === 'traded') return { id, kind, tradeId: from.f64(), position: readPosition(from) }
  if (kind === 'done') return { id, kind, receipt: readReceipt(from) }
  if (kind === 'refused') return { id, kind, error: readError(from) }
  if (kind === 'failed') return { id, kind, message: need(from.texts(1)[0]) }
  if (kind === undefined) throw new FrameError('there is no such kind of answer')
  return { id, kind }
}

function writeReceipt(to: ByteWriter, receipt: Receipt): void {
  const kind = 'trade' in receipt ? 'trade' : 'ruggedAmount' in receipt ? 'rug' : 'launch'
  to.u8(RECEIPTS.indexOf(kind))
  to.u8(receipt.isRepeat === true ? 1 : 0)
  if ('trade' in receipt) {
    writeTrade(to, receipt.trade)
    writePosition(to, receipt.position)
    return
  }
  to.u32(receipt.tokenId)
  if ('ruggedAmount' in receipt) to.texts([receipt.balance, receipt.ruggedAmount])
  else {
    to.texts([receipt.balance])
    writeOptionalTrade(to, receipt.initialTrade)
  }
}

function readReceipt(from: ByteReader): Receipt {
  const kind = RECEIPTS[from.u8()]
  const repeat = from.u8() === 1 ? ({ isRepeat: true } as const) : {}
  if (kind === 'trade') return { trade: readTrade(from), position: readPosition(from), ...repeat }
  if (kind === undefined) throw new FrameError('there is no such kind of receipt')
  const tokenId = from.u32() as TokenId
  if (kind === 'rug') {
    const [balance, ruggedAmount] = from.texts(2)
    return { tokenId, ruggedAmount: need(ruggedAmount), balance: need(balance), ...repeat }
  }
  const balance = need(from.texts(1)[0])
  return { tokenId, initialTrade: readOptionalTrade(from), balance, ...repeat }
}

function writeOptionalTrade(to: ByteWriter, trade: Trade | null): void {
  to.u8(trade === null ? 0 : 1)
  if (trade !== null) writeTrade(to, trade)
}

function readOptionalTrade(from: ByteReader): Trade | null {
  return from.u8() === 0 ? null : readTrade(from)
}

function writePosition(to: ByteWriter, { balance, amount, cost }: PlayerPosition): void {
  to.texts([balance, amount, cost])
}

function readPosition(from: ByteReader): PlayerPosition {
  const [balance, amount, cost] = from.texts(3)
  return { balance: need(balance), amount: need(amount), cost: need(cost) }
}
