import { useEffect, useRef, useState } from 'react'
import type { TapeEntry } from '../../../lib/api/api.ts'

/** Entries that come in at one step. Of more trades than that, the newest; the others are never shown. */
const ADDED_MAX = 2
/** Entries on the tape. */
const LENGTH = 20

interface SlidingTape {
  /** Newest first. */
  readonly entries: readonly TapeEntry[]
  /** How many of them came in with the last step. */
  readonly added: number
}

/** The next step of the tape. A tape without entries is filled at once. */
export function nextTape(shown: readonly TapeEntry[], latest: readonly TapeEntry[]): SlidingTape {
  const [first] = shown
  if (first === undefined) return { entries: latest.slice(0, LENGTH), added: 0 }
  const news = latest.filter(({ id }) => id > first.id).slice(0, ADDED_MAX)
  return { entries: [...news, ...shown].slice(0, LENGTH), added: news.length }
}

/** Min time between two steps, ms; an entry slides for as long (market-tape.module.css). */
const STEP_MS = 1_000
const EMPTY: SlidingTape = { entries: [], added: 0 }

/** The entries to show of the market's newest trades, moved on at most once a second, and not while the tape is held. */
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
    // Trades that come in until then change nothing here: the tape is behind already.
    const timer = setTimeout(
      () => {
        steppedAt.current = performance.now()
        setTape(({ entries }) => nextTape(entries, newest.current ?? []))
      },
      Math.max(0, steppedAt.current + STEP_MS - performance.now()),
    )
    return () => clearTimeout(timer)
  }, [isHeld, isBehind])
  return tape
}
