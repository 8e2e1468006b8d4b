import { z } from 'zod'

/** Number of characters in a recovery code. */
export const CODE_CHARS = 10
/** Crockford's base 32. This alphabet lacks i, l, o and u, because they look like other characters. */
export const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const CODE = new RegExp(`^[${ALPHABET}]{${CODE_CHARS}}$`)

const CHARS_MAX = 32
const SIX_DIGITS = /^\d{6}$/

/** A second factor as the player types it when logging in. */
export type FactorCode =
  | { readonly kind: 'totp'; readonly digits: string }
  | { readonly kind: 'recovery_code'; readonly code: string }

/** Six digits from an authenticator app. The schema removes spaces. */
export const totpCode = z
  .string()
  .max(CHARS_MAX, 'must be six digits')
  .meta({ pattern: '^\\s*[0-9]{3}\\s*[0-9]{3}\\s*$' })
  .transform((value) => value.replaceAll(/\s/g, ''))
  .refine((value) => SIX_DIGITS.test(value), 'must be six digits')
  .describe('The six digits that the authenticator app shows.')

export const factorCode = z
  .string()
  .max(CHARS_MAX, 'must be six digits or a recovery code')
  .transform(parseFactorCode)
  .refine((value) => value !== null, 'must be six digits or a recovery code')
  .transform((value): FactorCode => value as FactorCode)
  .describe('Six digits from the authenticator app, or a recovery code. Required if the account has a second factor.')

function parseFactorCode(text: string): FactorCode | null {
  const digits = text.replaceAll(/\s/g, '')
  if (SIX_DIGITS.test(digits)) return { kind: 'totp', digits }
  const code = parseRecoveryCode(text)
  return code === null ? null : { kind: 'recovery_code', code }
}

/** Normalizes a typed recovery code, or returns null if the text cannot be a recovery code. */
export function parseRecoveryCode(text: string): string | null {
  const code = text.replaceAll(/[\s-]/g, '').toLowerCase().replaceAll('o', '0').replaceAll(/[il]/g, '1')
  return CODE.test(code) ? code : null
}
