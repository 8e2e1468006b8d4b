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
