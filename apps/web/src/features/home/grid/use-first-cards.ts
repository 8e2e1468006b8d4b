import { startTransition, useEffect, useState } from 'react'

/** Where cards are in one column, as in token-grid.module.css. */
const ONE_COLUMN = '(width < 40em)'
/** Height of a card and its gap, px. */
const CARD_PX = 176

/** Whether the page's first cards were painted. Later grids are drawn whole: their scroll position may be restored. */
let isPainted = false

/**
 * How many cards to draw: on a phone, those on the first screen until they are painted, then all. The others would
 * double the first frame of a slow device.
 */
export function useFirstCards(): number {
  const [isWhole, setIsWhole] = useState(() => isPainted || !matchMedia(ONE_COLUMN).matches)
  useEffect(() => {
    isPainted = true
    if (isWhole) return
    // The timer runs after the frame is painted.
    const frame = requestAnimationFrame(() => setTimeout(() => startTransition(() => setIsWhole(true))))
    return () => cancelAnimationFrame(frame)
  }, [isWhole])
  return isWhole ? Number.POSITIVE_INFINITY : Math.ceil(screen.height / CARD_PX) - 1
}
