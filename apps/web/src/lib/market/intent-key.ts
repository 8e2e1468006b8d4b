import { readStored } from '../ui/stored.ts'

/**
 * The storage key for a stored intent. It has its own file, so the first screen does not load the code that parses
 * intents.
 */
export const INTENT_KEY = 'papermoon-intent'

export function isIntentStored(): boolean {
  return readStored(INTENT_KEY, 'sessionStorage') !== null
}
