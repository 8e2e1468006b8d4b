/** The storage key of a kept intent; apart, so that the first screen does not load how intents are parsed. */
export const INTENT_KEY = 'papermoon-intent'

export function isIntentKept(): boolean {
  try {
    return sessionStorage.getItem(INTENT_KEY) !== null
  } catch {
    return false
  }
}
