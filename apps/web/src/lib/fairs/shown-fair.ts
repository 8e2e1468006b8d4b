import { useEffect, useSyncExternalStore } from 'react'
import type { Fair } from '../api/api.ts'
import { isIn } from './fair-time.ts'

/** The running fair of the page that the visitor plays in: its money and its launches are in the header. */
let shown: Fair | null = null
const listeners = new Set<() => void>()

function show(fair: Fair | null): void {
  shown = fair
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useShownFair(): Fair | null {
  return useSyncExternalStore(subscribe, () => shown)
}

/** Puts a fair into the header as long as its page is open. */
export function useFairInHeader(fair: Fair | undefined): void {
  const played = fair?.state === 'open' && isIn(fair) ? fair : null
  useEffect(() => {
    show(played)
    return () => show(null)
  }, [played])
}

/** Whether a player may launch tokens in the fair now. */
export function mayLaunch(fair: Fair): boolean {
  return (
    isIn(fair) &&
    fair.state === 'open' &&
    (fair.launches === 'all' || (fair.launches === 'host' && fair.me?.isHost === true))
  )
}
