import { ApiError } from '../../errors.ts'

export const PASSKEYS_NEED_HTTPS = 'Passkeys work at an https address or at localhost only.'

/** One answer for whatever is wrong with what an authenticator signed: unknown, too late, used, or not by it. */
export class PasskeyInvalidError extends ApiError {
  readonly code = 'PASSKEY_INVALID'
  constructor() {
    super('This passkey was not accepted. Please try again, or use another way in.')
  }
}

/** Browsers know passkeys at https addresses and at localhost only. */
export class PasskeysUnavailableError extends ApiError {
  readonly code = 'PASSKEYS_UNAVAILABLE'
  constructor() {
    super(PASSKEYS_NEED_HTTPS)
  }
}
