/** A storage of the browser (`localStorage`) or of the tab (`sessionStorage`). */
type Area = 'localStorage' | 'sessionStorage'

/** Storage key of the id of the logged-in player. color-scheme.js also reads it. */
export const PLAYER_KEY = 'papermoon-player'

/**
 * Returns the text that this browser stores under a key. Returns null if nothing is stored, or if storage is blocked.
 */
export function readStored(key: string, area: Area = 'localStorage'): string | null {
  try {
    return globalThis[area].getItem(key)
  } catch {
    return null
  }
}

/**
 * Stores a text, or removes it if the text is null. Returns whether that worked, because storage may be blocked or
 * full.
 */
export function store(key: string, text: string | null, area: Area = 'localStorage'): boolean {
  try {
    if (text === null) globalThis[area].removeItem(key)
    else globalThis[area].setItem(key, text)
    return true
  } catch {
    return false
  }
}
