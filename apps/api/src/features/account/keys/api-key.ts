import { BOUNDS } from '@papermoon/contract/bounds'
import { newSecret } from '../credentials.ts'

/** Max number of API keys per player. */
export const KEYS_MAX = BOUNDS.keys

/** Creates a new key: 256 random bits with a prefix that secret scanners recognize. */
export function newApiKey(): string {
  return `pm_${newSecret()}`
}

/** Returns whether a text has the form of an API key. */
export function isApiKey(text: string): boolean {
  return /^pm_[\w-]{43}$/.test(text)
}
