import { BOUNDS } from '@papermoon/contract/bounds'
import { newSecret } from './credentials.ts'

/** Keys per player. */
export const KEYS_MAX = BOUNDS.keys

/** A new key: 256 random bits with a prefix that secret scanners can recognize. */
export function newApiKey(): string {
  return `pm_${newSecret()}`
}

/** Whether a text has the form of an API key. */
export function isApiKey(text: string): boolean {
  return /^pm_[\w-]{43}$/.test(text)
}
