import { useSyncExternalStore } from 'react'

interface Store<T> {
  readonly get: () => T
  readonly set: (value: T) => void
  /** Calls `listener` on each change. Returns a function that stops the calls. */
  readonly subscribe: (listener: () => void) => () => void
  readonly use: () => T
}

/** Creates a value that all components share while the page is open. */
export function createStore<T>(initial: T): Store<T> {
  let current = initial
  const listeners = new Set<() => void>()
  const get = () => current
  const set = (value: T) => {
    current = value
    for (const listener of listeners) listener()
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return { get, set, subscribe, use: () => useSyncExternalStore(subscribe, get) }
}
