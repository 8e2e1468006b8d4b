import assert from 'node:assert/strict'
import { Decimal } from '@papermoon/amm'
import { DomainError, NotBegunError } from '../errors.ts'
import type { Order, PlayerPosition } from '../orders.ts'
import type { Receipt } from '../pending-order.ts'

/** An order as JSON. Amounts are exact decimals as text; errors are the refusals that an order may carry. */
export interface EncodedOrder {
  readonly plain: Readonly<Record<string, unknown>>
  readonly amounts?: Readonly<Record<string, string>>
  readonly errors?: Readonly<Record<string, EncodedError>>
}

/** A rule's error as JSON. */
export interface EncodedError {
  readonly code: string
  readonly message: string
  readonly retryAfterS?: number | undefined
  readonly requestKey?: string | undefined
}

/** Encodes an order by the kinds of its fields, so that a new field needs no change here. Throws on what JSON would lose. */
export function encodeOrder(order: Order): EncodedOrder {
  const plain: Record<string, unknown> = {}
  let amounts: Record<string, string> | undefined
  let errors: Record<string, EncodedError> | undefined
  for (const [name, value] of Object.entries(order)) {
    if (value instanceof Decimal) amounts = { ...amounts, [name]: value.toFixed() }
    else if (value instanceof DomainError) errors = { ...errors, [name]: encodeError(value) }
    else if (value !== undefined) {
      assert(isPlain(value), `the field ${name} of an order cannot be forwarded`)
      plain[name] = value
    }
  }
  return { plain, ...(amounts && { amounts }), ...(errors && { errors }) }
}

export function decodeOrder({ plain, amounts = {}, errors = {} }: EncodedOrder): Order {
  const order: Record<string, unknown> = { ...plain }
  for (const [name, text] of Object.entries(amounts)) order[name] = new Decimal(text)
  for (const [name, error] of Object.entries(errors)) order[name] = decodeError(error)
  // The sender is authenticated and runs the same code.
  return order as unknown as Order
}

/** The error of a rule that another node found broken. */
class ForwardedError extends DomainError {
  readonly code: string

  constructor({ code, message, ...more }: EncodedError) {
    super(message)
    this.code = code
    Object.assign(this, more)
  }
}

export function encodeError({ code, message, retryAfterS, requestKey }: DomainError): EncodedError {
  return { code, message, retryAfterS, requestKey }
}

export function decodeError(error: EncodedError): DomainError {
  return new ForwardedError(error)
}

/** The answer to a forwarded order, with the number that its sender gave it. */
export type EncodedAnswer =
  | readonly [id: number, kind: 'done', receipt: unknown]
  /** Most answers: the trade itself came with the events before. */
  | readonly [id: number, kind: 'traded', tradeId: number, position: PlayerPosition]
  | readonly [id: number, kind: 'refused', error: EncodedError]
  /** Never begun: the order may run elsewhere. */
  | readonly [id: number, kind: 'declined']
  /** A defect, or data that the database refuses. Nothing was written. */
  | readonly [id: number, kind: 'failed', message: string]

export function encodeReceipt(id: number, receipt: Receipt): EncodedAnswer {
  if (!('trade' in receipt) || receipt.isRepeat) return [id, 'done', receipt]
  return [id, 'traded', receipt.trade.id, receipt.position]
}

export function encodeFailure(id: number, error: unknown): EncodedAnswer {
  if (error instanceof NotBegunError) return [id, 'declined']
  if (error instanceof DomainError) return [id, 'refused', encodeError(error)]
  return [id, 'failed', error instanceof Error ? error.message : String(error)]
}

/** Whether JSON keeps a value: primitives, and objects of them. */
function isPlain(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object') return false
  if (Array.isArray(value)) return value.every(isPlain)
  const isRecord = [Object.prototype, null].includes(Object.getPrototypeOf(value))
  return isRecord && Object.values(value).every((part) => part === undefined || isPlain(part))
}
