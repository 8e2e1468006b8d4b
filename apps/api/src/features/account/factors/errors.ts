import { ApiError } from '../../../errors.ts'

export class SecondFactorOnError extends ApiError {
  readonly code = 'SECOND_FACTOR_ON'
  constructor() {
    super('Your account has an authenticator app already. Please switch it off first.')
  }
}

export class SecondFactorOffError extends ApiError {
  readonly code = 'SECOND_FACTOR_OFF'
  constructor() {
    super('Your account has no authenticator app.')
  }
}

/** The setup was never begun, begun too long ago, or begun again elsewhere. */
export class SetupExpiredError extends ApiError {
  readonly code = 'SETUP_EXPIRED'
  constructor() {
    super('This setup has expired. Please begin again.')
  }
}

/** The password was correct, but the account has a second factor. */
export class SecondFactorNeededError extends ApiError {
  readonly code = 'SECOND_FACTOR_NEEDED'
  constructor() {
    super('Please enter the six digits of your authenticator app, or a recovery code.')
  }
}

/** One error for a code that is wrong, expired or used. */
export class SecondFactorInvalidError extends ApiError {
  readonly code = 'SECOND_FACTOR_INVALID'
  constructor() {
    super('This code is not valid, or it was used already. Please wait for the next one.')
  }
}

/** A signed-in player entered an invalid code. Not 401, since they stay signed in. */
export class WrongCodeError extends ApiError {
  readonly code = 'WRONG_CODE'
  constructor() {
    super('This code is not valid, or it was used already. Please wait for the next one.')
  }
}

/** Too many wrong codes in a day; recovery codes and passkeys still work. */
export class TooManyCodesError extends ApiError {
  readonly code = 'RATE_LIMITED'
  override readonly retryAfterS: number
  constructor(retryAfterS: number) {
    super('There were too many wrong codes. Please use a recovery code or a passkey, or try again tomorrow.')
    this.retryAfterS = retryAfterS
  }
}
