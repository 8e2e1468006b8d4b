import { randomInt } from 'node:crypto'

export const RECOVERY_CODES = 10
const CODE_CHARS = 10
const SELECTOR_CHARS = 2
/** Crockford's base 32, without the ambiguous i, l, o and u. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const CODE = new RegExp(`^[${ALPHABET}]{${CODE_CHARS}}$`)

/** Ten new codes of 50 random bits, each with different first two characters. */
export function newRecoveryCodes(): string[] {
  const codes = new Map<string, string>()
  while (codes.size < RECOVERY_CODES) {
    const code = Array.from({ length: CODE_CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
    codes.set(getSelector(code), code)
  }
  return [...codes.values()]
}

/** The part that selects which of a player's code hashes to check; the hash covers the whole code. */
export function getSelector(code: string): string {
  return code.slice(0, SELECTOR_CHARS)
}

/** A code as shown: two halves joined by a hyphen. */
export function formatRecoveryCode(code: string): string {
  return `${code.slice(0, CODE_CHARS / 2)}-${code.slice(CODE_CHARS / 2)}`
}

/** Normalizes a typed code; null if it cannot be one. */
export function parseRecoveryCode(text: string): string | null {
  const code = text.replaceAll(/[\s-]/g, '').toLowerCase().replaceAll('o', '0').replaceAll(/[il]/g, '1')
  return CODE.test(code) ? code : null
}
