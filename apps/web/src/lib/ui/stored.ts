/** `localStorage` is the browser's, `sessionStorage` the tab's. */
type Area = 'localStorage' | 'sessionStorage'

/** Keeps the id of the player who is signed in; color-scheme.js reads it too. */
export const PLAYER_KEY = 'papermoon-player'

/** What this browser keeps under a key; null for nothing, and where storage is blocked: there its name alone throws. */
export function readStored(key: string, area: Area = 'localStorage'): string | null {
  try {
    return globalThis[area].getItem(key)
  } catch {
    return null
  }
}

/** Keeps a text, or nothing more (null). Returns whether it could: storage may be blocked or full. */
export function store(key: string, text: string | null, area: Area = 'localStorage'): boolean {
  try {
    if (text === null) globalThis[area].removeItem(key)
    else globalThis[area].setItem(key, text)
    return true
  } catch {
    return false
  }
}
