import { ApiError } from '../../../errors.ts'

/** Passkeys per player. */
export const PASSKEYS_MAX = 20

export class TooManyPasskeysError extends ApiError {
  readonly code = 'TOO_MANY_PASSKEYS'
  override readonly details = { limit: 'passkeys', maximum: PASSKEYS_MAX }
  constructor() {
    super(`You already have ${PASSKEYS_MAX} passkeys. Please remove one of them first.`)
  }
}

export class PasskeyExistsError extends ApiError {
  readonly code = 'PASSKEY_EXISTS'
  constructor() {
    super('This passkey has been added before.')
  }
}

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
