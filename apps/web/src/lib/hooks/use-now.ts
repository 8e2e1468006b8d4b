import { useSyncExternalStore } from 'react'
import { serverNow } from '../api/server-now.ts'

const TICK_MS = 1_000
const OLD_MS = 5_000

let now = wholeSecond()
let timer: ReturnType<typeof setInterval> | null = null
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(tick, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0 || timer === null) return
    clearInterval(timer)
    timer = null
  }
}

function tick(): void {
  now = wholeSecond()
  for (const listener of listeners) listener()
}

function readNow(): number {
  // The timer stops when nobody subscribes, so the first subscriber updates the time. Do not update the time later
  // here, because a change during rendering would make React render the screen again in one task.
  if (timer === null && Math.abs(serverNow() - now) > OLD_MS) now = wholeSecond()
  return now
}

function wholeSecond(): number {
  return Math.floor(serverNow() / TICK_MS) * TICK_MS
}

/** Returns the server's time, rounded to `everyMs`, in ms since the epoch. All components share one timer. */
export function useNow(everyMs = TICK_MS): number {
  return useSyncExternalStore(subscribe, () => Math.floor(readNow() / everyMs) * everyMs)
}
