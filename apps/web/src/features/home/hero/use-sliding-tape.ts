import { useEffect, useRef, useState } from 'react'
import type { TapeEntry } from '../../../lib/api/api.ts'

/** Max number of trades that slide in at once. If there are more new trades, the older of them are never shown. */
const ADDED_MAX = 2
/** Max number of visible trades. */
const LENGTH = 20

interface SlidingTape {
  /** The visible trades, newest first. */
  readonly entries: readonly TapeEntry[]
  /** Number of trades that slid in during the last step. */
  readonly added: number
}

/** Returns the list of visible trades after its next step, which fills an empty list at once. */
export function nextTape(shown: readonly TapeEntry[], latest: readonly TapeEntry[]): SlidingTape {
  const [first] = shown
  if (first === undefined) return { entries: latest.slice(0, LENGTH), added: 0 }
  const news = latest.filter(({ id }) => id > first.id).slice(0, ADDED_MAX)
  return { entries: [...news, ...shown].slice(0, LENGTH), added: news.length }
}

/** Min time between two steps, in ms. The slide animation takes the same time (market-tape.module.css). */
const STEP_MS = 1_000
const EMPTY: SlidingTape = { entries: [], added: 0 }

/**
 * Returns which of the market's newest trades to show. The list moves at most once a second, and never while it is
 * paused.
 */
export function useSlidingTape(latest: readonly TapeEntry[] | undefined, isHeld: boolean): SlidingTape {
  const [tape, setTape] = useState(EMPTY)
  const newest = useRef(latest)
  const steppedAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    newest.current = latest
  })
  const isBehind = latest !== undefined && latest[0]?.id !== tape.entries[0]?.id
  useEffect(() => {
    if (isHeld || !isBehind) return
    // Ignore new trades before the next step, because the list is already behind.
    const timer = setTimeout(
      () => {
        steppedAt.current = performance.now()
        setTape(({ entries }) => nextTape(entries, newest.current ?? []))
      },
      Math.max(0, steppedAt.current + STEP_MS - performance.now()),
    )
    return () => clearTimeout(timer)
    // The list may be behind even after a step, because React may render the step together with a newer trade.
  }, [isHeld, isBehind, tape])
  return tape
}
