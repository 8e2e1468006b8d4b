import { useSyncExternalStore } from 'react'

/** Ages of many cards need no more. */
const TICK_MS = 10_000

let now = Date.now()
let timer: ReturnType<typeof setInterval> | null = null
const listeners = new Set<() => void>()

/** The current time in ms, updated every 10 seconds by one shared timer. */
export function useCoarseNow(): number {
  return useSyncExternalStore(subscribe, () => now)
}

function subscribe(listener: () => void): () => void {
  if (timer === null) {
    now = Date.now()
    timer = setInterval(tick, TICK_MS)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0 || timer === null) return
    clearInterval(timer)
    timer = null
  }
}

function tick(): void {
  now = Date.now()
  for (const listener of listeners) listener()
}
