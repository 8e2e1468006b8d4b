import { useSyncExternalStore } from 'react'

/** A storage of the browser (`localStorage`) or of the tab (`sessionStorage`). */
type Area = 'localStorage' | 'sessionStorage'

/** Storage key of the logged-in player's id. color-scheme.js also reads it. */
export const PLAYER_KEY = 'papermoon-player'

/** Returns the text that this browser stores under a key. Returns null if there is none, or if storage is blocked. */
export function readStored(key: string, area: Area = 'localStorage'): string | null {
  try {
    return globalThis[area].getItem(key)
  } catch {
    return null
  }
}

/**
 * Stores a text. Removes the stored text if `text` is null. Returns whether the browser stored the text, because
 * storage may be blocked or full.
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

/** Creates a value that all components share while the page is open. */
export function createStore<T>(initial: T) {
  let current = initial
  const listeners = new Set<() => void>()
  const get = () => current
  const set = (value: T) => {
    current = value
    for (const listener of listeners) listener()
  }
  /** Calls `listener` on each change. Returns a function that stops the calls. */
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return { get, set, subscribe, use: () => useSyncExternalStore(subscribe, get) }
}

/** Settings that the browser could not store, by key, which last for this visit. */
const unstored = new Map<string, string | null>()
/** The number of changes of settings, which tells components to read their settings again. */
const changes = createStore(0)

/** Returns a setting of this device. Returns null if it has its default. */
export function readSetting(key: string): string | null {
  return unstored.has(key) ? (unstored.get(key) ?? null) : readStored(key)
}

/** Changes a setting of this device for all components that use it. Null means the default. */
export function saveSetting(key: string, text: string | null): void {
  store(key, text)
  if (readStored(key) === text) unstored.delete(key)
  else unstored.set(key, text)
  changes.set(changes.get() + 1)
}

/**
 * Returns a setting of this device. Returns null if it has its default. The component renders again when the setting
 * changes.
 */
export function useStored(key: string): string | null {
  return useSyncExternalStore(changes.subscribe, () => readSetting(key))
}
