import { useSyncExternalStore } from 'react'

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
  // The timer stops without subscribers, so refresh the time for the first one. Not at each second: where it changes
  // while a screen is rendered, React renders that screen again, in one task.
  if (timer === null && Date.now() - now > OLD_MS) now = wholeSecond()
  return now
}

function wholeSecond(): number {
  return Math.floor(Date.now() / TICK_MS) * TICK_MS
}

/** The current time in ms since the epoch, in steps of `everyMs`, by one shared timer. */
export function useNow(everyMs = TICK_MS): number {
  return useSyncExternalStore(subscribe, () => Math.floor(readNow() / everyMs) * everyMs)
}
