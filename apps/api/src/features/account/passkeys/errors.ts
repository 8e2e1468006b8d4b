import { defineError } from '../../../errors.ts'

/** Max number of passkeys per player. */
export const PASSKEYS_MAX = 20

export class TooManyPasskeysError extends defineError(
  'TOO_MANY_PASSKEYS',
  `You already have ${PASSKEYS_MAX} passkeys. Please remove one of them first.`,
  { details: { limit: 'passkeys', maximum: PASSKEYS_MAX } },
) {}

export class PasskeyExistsError extends defineError('PASSKEY_EXISTS', 'This passkey was already added.') {}

export const PASSKEYS_NEED_HTTPS = 'Passkeys work only over HTTPS or on localhost.'

/**
 * The assertion is invalid: unknown passkey, expired or spent challenge, or wrong signature. The error is the same for
 * all.
 */
export class PasskeyInvalidError extends defineError(
  'PASSKEY_INVALID',
  'This passkey did not work. Please try again, or log in another way.',
) {}

/** Browsers do not support passkeys at this URL, only at HTTPS URLs and localhost. */
export class PasskeysUnavailableError extends defineError('PASSKEYS_UNAVAILABLE', PASSKEYS_NEED_HTTPS) {}
