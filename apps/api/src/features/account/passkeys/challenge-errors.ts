import { ApiError } from '../../../errors.ts'

export const PASSKEYS_NEED_HTTPS = 'Passkeys work at an https address or at localhost only.'

/** One error for every invalid assertion: unknown passkey, expired or spent challenge, wrong signature. */
export class PasskeyInvalidError extends ApiError {
  readonly code = 'PASSKEY_INVALID'
  constructor() {
    super('This passkey was not accepted. Please try again, or use another way in.')
  }
}

/** Browsers support passkeys only at HTTPS addresses and localhost. */
export class PasskeysUnavailableError extends ApiError {
  readonly code = 'PASSKEYS_UNAVAILABLE'
  constructor() {
    super(PASSKEYS_NEED_HTTPS)
  }
}
