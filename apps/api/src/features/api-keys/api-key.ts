import { newSecret } from '../../security/credentials.ts'

/** Keys that a player may have at once. */
export const KEYS_MAX = 10

/** A new key: 256 random bits behind a prefix that says whose it is when it turns up somewhere. */
export function newApiKey(): string {
  return `pm_${newSecret()}`
}

/** Whether a text can be one of our keys at all. */
export function isApiKey(text: string): boolean {
  return /^pm_[\w-]{43}$/.test(text)
}
