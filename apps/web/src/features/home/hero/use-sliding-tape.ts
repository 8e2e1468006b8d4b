import { useEffect, useRef, useState } from 'react'
import type { TapeEntry } from '../../../lib/api/api.ts'

/** Max number of entries that slide in at once. If there are more new trades, the older ones are never shown. */
const ADDED_MAX = 2
/** Max number of entries on the tape. */
const LENGTH = 20

interface SlidingTape {
  /** Newest first. */
  readonly entries: readonly TapeEntry[]
  /** Number of entries that slid in with the last step. */
  readonly added: number
}

/** Returns the tape after its next step. An empty tape is filled at once. */
export function nextTape(shown: readonly TapeEntry[], latest: readonly TapeEntry[]): SlidingTape {
  const [first] = shown
  if (first === undefined) return { entries: latest.slice(0, LENGTH), added: 0 }
  const news = latest.filter(({ id }) => id > first.id).slice(0, ADDED_MAX)
  return { entries: [...news, ...shown].slice(0, LENGTH), added: news.length }
}

/** Min time between two steps, ms. A slide takes as long (market-tape.module.css). */
const STEP_MS = 1_000
const EMPTY: SlidingTape = { entries: [], added: 0 }

/**
 * Returns the entries to show of the market's newest trades. Moves at most once a second, and not while the tape is
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
    // Trades that arrive until then change nothing, because the tape is already behind.
    const timer = setTimeout(
      () => {
        steppedAt.current = performance.now()
        setTape(({ entries }) => nextTape(entries, newest.current ?? []))
      },
      Math.max(0, steppedAt.current + STEP_MS - performance.now()),
    )
    return () => clearTimeout(timer)
    // After a step the tape can still be behind, since React may render a step together with a newer trade.
  }, [isHeld, isBehind, tape])
  return tape
}
