import { useEffect, useRef, useState } from 'react'
import type { TapeEntry } from '../../../lib/api/api.ts'
import { nextTape, type SlidingTape } from './next-tape.ts'

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
