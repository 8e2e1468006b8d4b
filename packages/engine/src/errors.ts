import { type AmmError, type AmmErrorCode, type Sol, solText, type Tokens, tokensText } from '@papermoon/amm'
import type { ErrorCode } from '@papermoon/contract/errors'
import { FOREVER } from '@papermoon/contract/market-events'
import { formatTime } from './clock.ts'

/** End of a seal that lasts for ever, in Unix ms. */
export const FOREVER_MS = Date.parse(FOREVER)

/** The values in an error's message, by name. Amounts are decimal text, and counts are numbers. */
export type ErrorDetails = Readonly<Record<string, string | number>>

/** An expected error. The error's message is one sentence for players. `code` never changes and is for programs. */
export abstract class DomainError<Code extends string = string> extends Error {
  abstract readonly code: Code
  /** Number of seconds to wait before a retry. */
  readonly retryAfterS?: number
  /** Idempotency key with which the caller can repeat the order. */
  readonly requestKey?: string
  readonly details?: ErrorDetails

  /**
   * Creates the error without a stack, because a stack costs more time than most rejections, and clients can cause any
   * number of errors.
   */
  constructor(message: string) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
  }
}

export class NotSignedInError extends DomainError<ErrorCode> {
  readonly code = 'NOT_SIGNED_IN'
  constructor() {
    super('Please log in to do this.')
  }
}

/** No token has this id, or an operator hid the token. */
export class TokenNotFoundError extends DomainError<ErrorCode> {
  readonly code = 'TOKEN_NOT_FOUND'
  constructor() {
    super('Token not found.')
  }
}

export class InsufficientBalanceError extends DomainError<ErrorCode> {
  readonly code = 'INSUFFICIENT_BALANCE'
  override readonly details
  constructor(balance: Sol, needed: Sol) {
    super(`Insufficient balance: you have ${solText(balance)} SOL, but this order needs ${solText(needed)} SOL.`)
    this.details = { available: solText(balance), needed: solText(needed) }
  }
}

/** The order would exceed its API key's daily spending limit. */
export class SpendingLimitError extends DomainError<ErrorCode> {
  readonly code = 'SPENDING_LIMIT_REACHED'
  override readonly details
  constructor({ limit, left, needed, day }: { limit: Sol; left: Sol; needed: Sol; day: string }) {
    const reset = new Date(Date.parse(day) + 24 * 3_600_000).toISOString().slice(0, 10)
    super(
      `This API key can spend ${solText(limit)} SOL a day. It has ${solText(left)} SOL left until ${reset} 00:00 UTC, but this order needs ${solText(needed)} SOL.`,
    )
    const [maximum, available] = [solText(limit), solText(left)]
    this.details = {
      limit: 'spendingLimit',
      maximum,
      available,
      needed: solText(needed),
      resetsAt: `${reset}T00:00:00Z`,
    }
  }
}

/** An API key with a spending limit was revoked while its order was running. */
export class KeyRevokedError extends DomainError<ErrorCode> {
  readonly code = 'API_KEY_INVALID'
  constructor() {
    super('This API key is not valid.')
  }
}

export class InsufficientTokensError extends DomainError<ErrorCode> {
  readonly code = 'INSUFFICIENT_TOKENS'
  override readonly details
  constructor(held: Tokens, needed: Tokens) {
    super(`Insufficient tokens: you hold only ${tokensText(held)}.`)
    this.details = { available: tokensText(held), needed: tokensText(needed) }
  }
}

export class SlippageExceededError extends DomainError<ErrorCode> {
  readonly code = 'SLIPPAGE_EXCEEDED'
  override readonly details
  /** The amounts are text. If `unit` is SOL, the message also adds it to the minimum. */
  constructor(wouldGet: string, minimum: string, unit: 'tokens' | 'SOL') {
    const least = unit === 'SOL' ? `${minimum} SOL` : minimum
    super(`The price has moved: you would receive ${wouldGet} ${unit}, less than your minimum of ${least}.`)
    this.details = { wouldGet, minimum }
  }
}

export class NotTheCreatorError extends DomainError<ErrorCode> {
  readonly code = 'NOT_YOURS'
  constructor(act: 'rug' | 'seal') {
    super(`Only a token’s creator can ${act} it.`)
  }
}

/** Formats a seal's end for a message, such as `until 2026-03-02 12:00:00 UTC`. */
function formatEnd(untilMs: number): string {
  return untilMs === FOREVER_MS ? 'for ever' : `until ${formatTime(untilMs).slice(0, 19).replace('T', ' ')} UTC`
}

/** The creator tried to rug a token whose liquidity is sealed. */
export class LiquiditySealedError extends DomainError<ErrorCode> {
  readonly code = 'SEALED'
  override readonly details
  constructor(untilMs: number) {
    super(`You have sealed this token’s liquidity ${formatEnd(untilMs)}.`)
    this.details = { until: formatTime(untilMs) }
  }
}

/** The creator tried to sell sealed tokens. */
export class BagSealedError extends DomainError<ErrorCode> {
  readonly code = 'SEALED'
  override readonly details
  constructor({ untilMs, sealed, held }: { untilMs: number; sealed: Tokens; held: Tokens }) {
    const sellable = tokensText(held.sub(sealed))
    super(
      `You have sealed ${tokensText(sealed)} of your tokens ${formatEnd(untilMs)}. You can sell ${sellable} of them now.`,
    )
    this.details = { until: formatTime(untilMs), sealed: tokensText(sealed), sellable }
  }
}

/** The new seal would end before the current seal, or only slightly later. */
export class SealTooShortError extends DomainError<ErrorCode> {
  readonly code = 'SEAL_TOO_SHORT'
  override readonly details
  constructor(untilMs: number) {
    super(
      `This token is sealed ${formatEnd(untilMs)}. You can only make the seal longer, by at least a tenth of the new length.`,
    )
    this.details = { until: formatTime(untilMs) }
  }
}

export class FairEndedError extends DomainError<ErrorCode> {
  readonly code = 'FAIR_ENDED'
  constructor() {
    super('This fair has ended, so its tokens can no longer be traded.')
  }
}

export class TooManyWaitingError extends DomainError<ErrorCode> {
  readonly code = 'TOO_MANY_WAITING'
  override readonly details
  constructor(maximum: number, isOfToken: boolean) {
    super(`You already have ${maximum} waiting orders${isOfToken ? ' for this token' : ''}, which is the maximum.`)
    this.details = { limit: isOfToken ? 'waitingOrdersOfToken' : 'waitingOrders', maximum }
  }
}

export class StopReachedError extends DomainError<ErrorCode> {
  readonly code = 'STOP_REACHED'
  override readonly details
  constructor(currentPrice: string) {
    super(`A stop must be below the current price, which is ${currentPrice} SOL.`)
    this.details = { currentPrice }
  }
}

export class TooSmallToWaitError extends DomainError<ErrorCode> {
  readonly code = 'TOO_SMALL_TO_WAIT'
  constructor() {
    super('A waiting order must be worth at least 0.001 SOL at its price.')
  }
}

/** The player has no such waiting order, or it has changed since the player saw it. */
export class NotWaitingError extends DomainError<ErrorCode> {
  readonly code = 'NOT_WAITING'
  constructor() {
    super('You have no such waiting order.')
  }
}

/** The order to replace was partly filled after the player saw it. */
export class FilledSinceError extends DomainError<ErrorCode> {
  readonly code = 'FILLED_SINCE'
  override readonly details
  constructor({ left, fills, unit }: { left: string; fills: number; unit: 'SOL' | 'tokens' }) {
    super(`Part of the order was filled in the meantime. Only ${left} ${unit} are left.`)
    this.details = { left, fills }
  }
}

export class RequestKeyReusedError extends DomainError<ErrorCode> {
  readonly code = 'REQUEST_KEY_REUSED'
  constructor() {
    super('This idempotency key was already used for another order.')
  }
}

export class TooManyOrdersError extends DomainError<ErrorCode> {
  readonly code = 'TOO_MANY_ORDERS'
  override readonly retryAfterS = 1
  override readonly details
  constructor(max: number) {
    super(`You already have ${max} orders in progress. Please wait for their results.`)
    this.details = { limit: 'ordersUnderWay', maximum: max }
  }
}

/** The order was not placed, and the caller can send it again. */
export class BusyError extends DomainError<ErrorCode> {
  readonly code = 'BUSY'
  override readonly retryAfterS = 1
  constructor(sentence = 'The market is busy, so your order was not placed. Please try again in a moment.') {
    super(sentence)
  }
}

/** The database's disk is full. Orders work again when the disk has free space. */
export class DiskFullError extends BusyError {
  constructor() {
    super("The market's disk is full, so your order was not placed. Please try again in a moment.")
  }
}

/**
 * The connection was lost during the commit, so the order may have been placed. The caller can safely repeat the order
 * with its key.
 */
export class OutcomeUnknownError extends DomainError<ErrorCode> {
  readonly code = 'OUTCOME_UNKNOWN'
  override readonly retryAfterS = 1
  override readonly requestKey: string
  constructor(requestKey: string) {
    super(
      `We don’t know whether your order was placed. Repeat the order with the idempotency key ${requestKey}. The same order is never placed twice.`,
    )
    this.requestKey = requestKey
  }
}

export class MarketRuleError extends DomainError<ErrorCode> {
  readonly code: ErrorCode
  constructor(error: AmmError) {
    super(error.message)
    this.code = codeByAmmCode[error.code]
  }
}

const codeByAmmCode = {
  NOT_A_NUMBER: 'BAD_INPUT',
  NOT_POSITIVE: 'BAD_INPUT',
  AMOUNT_TOO_LARGE: 'AMOUNT_TOO_LARGE',
  OUTPUT_IS_ZERO: 'OUTPUT_IS_ZERO',
  POOL_CLOSED: 'TOKEN_CLOSED',
  INSUFFICIENT_TOKENS: 'INSUFFICIENT_TOKENS',
  INSUFFICIENT_LIQUIDITY: 'INSUFFICIENT_TOKENS',
} as const satisfies Record<AmmErrorCode, ErrorCode>
