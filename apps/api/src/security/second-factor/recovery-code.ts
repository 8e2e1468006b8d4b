import { randomInt } from 'node:crypto'

export const RECOVERY_CODES = 10
const CODE_CHARS = 10
const SELECTOR_CHARS = 2
/** Crockford's base 32: no i, l, o or u, which look like others. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const CODE = new RegExp(`^[${ALPHABET}]{${CODE_CHARS}}$`)

/** Ten new codes of 50 random bits, each told apart by its first two characters. */
export function newRecoveryCodes(): string[] {
  const codes = new Map<string, string>()
  while (codes.size < RECOVERY_CODES) {
    const code = Array.from({ length: CODE_CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
    codes.set(getSelector(code), code)
  }
  return [...codes.values()]
}

/** What says which of a player's codes one claims to be; the hash is of all of it. */
export function getSelector(code: string): string {
  return code.slice(0, SELECTOR_CHARS)
}

/** A code in two halves, as it is shown. */
export function formatRecoveryCode(code: string): string {
  return `${code.slice(0, CODE_CHARS / 2)}-${code.slice(CODE_CHARS / 2)}`
}

/** What somebody typed as the code it is, or null when it can be none. */
export function parseRecoveryCode(text: string): string | null {
  const code = text.replaceAll(/[\s-]/g, '').toLowerCase().replaceAll('o', '0').replaceAll(/[il]/g, '1')
  return CODE.test(code) ? code : null
}
