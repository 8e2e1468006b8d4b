import { randomInt } from 'node:crypto'
import { ALPHABET, CODE_CHARS } from '@papermoon/contract/factor-code'

export const RECOVERY_CODES = 10
const SELECTOR_CHARS = 2

/** Creates ten codes of 50 random bits. Their first two characters all differ. */
export function newRecoveryCodes(): string[] {
  const codes = new Map<string, string>()
  while (codes.size < RECOVERY_CODES) {
    const code = Array.from({ length: CODE_CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
    codes.set(getSelector(code), code)
  }
  return [...codes.values()]
}

/** Returns the part of a code that selects which of a player's hashes to check. The hash covers the whole code. */
export function getSelector(code: string): string {
  return code.slice(0, SELECTOR_CHARS)
}

/** Formats a code as two halves joined by a hyphen. */
export function formatRecoveryCode(code: string): string {
  return `${code.slice(0, CODE_CHARS / 2)}-${code.slice(CODE_CHARS / 2)}`
}
