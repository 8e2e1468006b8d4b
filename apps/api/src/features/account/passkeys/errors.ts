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
