/** Error codes for programs, which never change. */
export type AmmErrorCode =
  | 'NOT_A_NUMBER'
  | 'NOT_POSITIVE'
  | 'AMOUNT_TOO_LARGE'
  | 'OUTPUT_IS_ZERO'
  | 'POOL_CLOSED'
  | 'INSUFFICIENT_TOKENS'
  | 'INSUFFICIENT_LIQUIDITY'

/** An expected error, with a `code` for programs and a sentence (`message`) for players. */
export abstract class AmmError extends Error {
  abstract readonly code: AmmErrorCode
}

/** The amount is invalid for every pool. */
export abstract class AmountError extends AmmError {}

export class NotANumberError extends AmountError {
  override readonly name = 'NotANumberError'
  readonly code = 'NOT_A_NUMBER'
  constructor() {
    super('An amount must be a plain decimal number of at most 40 characters, such as 1.5.')
  }
}

/** The amount is negative, or it is zero after truncation to the allowed decimals. */
export class NotPositiveError extends AmountError {
  override readonly name = 'NotPositiveError'
  readonly code = 'NOT_POSITIVE'
  constructor() {
    super('The amount must be greater than zero.')
  }
}

/** The amount, or a resulting balance or reserve, does not fit its database column. */
export class AmountTooLargeError extends AmountError {
  override readonly name = 'AmountTooLargeError'
  readonly code = 'AMOUNT_TOO_LARGE'
  constructor() {
    super('The amount is too large.')
  }
}

export class OutputIsZeroError extends AmmError {
  override readonly name = 'OutputIsZeroError'
  readonly code = 'OUTPUT_IS_ZERO'
  constructor() {
    super('The amount is too small to trade: nothing would be paid out.')
  }
}

/** The token was rugged, so its pool is closed permanently. */
export class PoolClosedError extends AmmError {
  override readonly name = 'PoolClosedError'
  readonly code = 'POOL_CLOSED'
  constructor() {
    super('This token was rugged and can no longer be traded.')
  }
}

export class InsufficientTokensError extends AmmError {
  override readonly name = 'InsufficientTokensError'
  readonly code = 'INSUFFICIENT_TOKENS'
  constructor() {
    super('You do not hold that many tokens.')
  }
}

/** The pool would have to pay out virtual SOL. Tokens that were bought from the pool never cause this error. */
export class InsufficientLiquidityError extends AmmError {
  override readonly name = 'InsufficientLiquidityError'
  readonly code = 'INSUFFICIENT_LIQUIDITY'
  constructor() {
    super('The pool does not hold enough SOL for that many tokens.')
  }
}
