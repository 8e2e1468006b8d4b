import { readStored } from '../ui/stored.ts'

/**
 * The storage key of an action that the player wants to continue after login. This constant has its own file, so that
 * the first screen does not load the code that parses stored actions.
 */
export const INTENT_KEY = 'papermoon-intent'

export function isIntentStored(): boolean {
  return readStored(INTENT_KEY, 'sessionStorage') !== null
}
