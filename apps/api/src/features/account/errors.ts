import { Decimal, type Sol, solText } from '@papermoon/amm'
import { ApiError, defineError } from '../../errors.ts'

/** Net worth in SOL below which a player can reset an account. */
export const RESET_BELOW = new Decimal(10)

export class NetWorthTooHighError extends ApiError {
  readonly code = 'NET_WORTH_TOO_HIGH'
  override readonly details
  /** The part of the net worth that is in pools which the player sealed for a limited time. */
  constructor(netWorth: Sol, sealedPools: Sol) {
    const parts = sealedPools.gt(0) ? ', including the SOL in your sealed pools' : ''
    super(
      `Your net worth is ${solText(netWorth)} SOL${parts}. You can reset your account when your net worth is below ${solText(RESET_BELOW)} SOL.`,
    )
    this.details = { netWorth: solText(netWorth), below: solText(RESET_BELOW) }
  }
}

/** The account was reset less than a day ago. */
export class ResetTooSoonError extends ApiError {
  readonly code = 'RESET_TOO_SOON'
  override readonly retryAfterS: number
  constructor(waitMs: number) {
    super(`You can reset your account once a day. Please come back in ${durationText(waitMs)}.`)
    this.retryAfterS = Math.max(1, Math.ceil(waitMs / 1_000))
  }
}

/** The download link has expired or belongs to another session. */
export class ExportLinkError extends defineError(
  'EXPORT_LINK_INVALID',
  'This download link no longer works. Please request a new one in Settings.',
) {}

/** The player is already downloading an export, or too many players are downloading one. */
export class ExportBusyError extends defineError(
  'BUSY',
  'Another download is still running. Please try again when it is done.',
  { retryAfterS: 30 },
) {}

/** The account was not changed, because its locks stayed busy. */
export class AccountBusyError extends defineError(
  'BUSY',
  'The market is busy, so your account was not reset. Please try again in a moment.',
  { retryAfterS: 1 },
) {}

function durationText(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / 60_000))
  if (minutes < 60) return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
  const hours = Math.ceil(minutes / 60)
  return `${hours} ${hours === 1 ? 'hour' : 'hours'}`
}

/** The email address is unknown or the password is wrong. Both cases return the same response. */
export class InvalidCredentialsError extends defineError('INVALID_CREDENTIALS', 'Invalid credentials.') {}

/** The reset code is wrong, expired or used, or this browser did not request it. All cases get the same response. */
export class ResetCodeError extends defineError('RESET_CODE_INVALID', 'Invalid or expired reset code.') {}

/** A logged-in player gave a wrong password. The session stays valid. */
export class WrongPasswordError extends defineError('WRONG_PASSWORD', 'This password is wrong.') {}

/**
 * The email link is wrong, expired or used, or a newer link has replaced it. All these cases return the same response.
 */
export class EmailLinkError extends defineError(
  'EMAIL_LINK_INVALID',
  'This link no longer works. Request a new one in Settings.',
) {}
