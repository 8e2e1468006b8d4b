import { readStored } from '../ui/stored.ts'

/** The storage key of a kept intent; apart, so that the first screen does not load how intents are parsed. */
export const INTENT_KEY = 'papermoon-intent'

export function isIntentKept(): boolean {
  return readStored(INTENT_KEY, 'sessionStorage') !== null
}
