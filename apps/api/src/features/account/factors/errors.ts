import { ApiError, defineError } from '../../../errors.ts'

export class SecondFactorOnError extends defineError(
  'SECOND_FACTOR_ON',
  'Your account already has an authenticator app. Please turn it off first.',
) {}

export class SecondFactorOffError extends defineError('SECOND_FACTOR_OFF', 'Your account has no authenticator app.') {}

/** The setup was never begun, begun too long ago, or begun again elsewhere. */
export class SetupExpiredError extends defineError('SETUP_EXPIRED', 'This setup has expired. Please begin again.') {}

/** The password was correct, but the account has a second factor. */
export class SecondFactorNeededError extends defineError(
  'SECOND_FACTOR_NEEDED',
  'Please enter the six-digit code from your authenticator app, or a recovery code.',
) {}

/** The code is wrong, expired or used. The error is the same for all. */
export class SecondFactorInvalidError extends defineError(
  'SECOND_FACTOR_INVALID',
  'This code is wrong or was already used. Please wait for the next one.',
) {}

/** A logged-in player entered an invalid code. The status is not 401, because they stay logged in. */
export class WrongCodeError extends defineError(
  'WRONG_CODE',
  'This code is wrong or was already used. Please wait for the next one.',
) {}

/** Too many wrong codes within a day. Recovery codes and passkeys still work. */
export class TooManyCodesError extends ApiError {
  readonly code = 'RATE_LIMITED'
  override readonly retryAfterS: number
  constructor(retryAfterS: number) {
    super('You entered too many wrong codes. Please use a recovery code or a passkey, or try again tomorrow.')
    this.retryAfterS = retryAfterS
  }
}
