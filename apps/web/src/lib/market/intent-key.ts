import { readStored } from '../ui/stored.ts'

/**
 * Key under which the browser stores an action that the player wants to continue after login. The key has its own file,
 * so that the first screen does not load the code that parses stored actions.
 */
export const INTENT_KEY = 'papermoon-intent'

export function isIntentStored(): boolean {
  return readStored(INTENT_KEY, 'sessionStorage') !== null
}
