import { startTransition, useEffect, useState } from 'react'

/** Where pages have one column. */
const ONE_COLUMN = '(width < 40em)'

/** Whether the app's first screen was painted. Later ones are drawn whole: their scroll position may be restored. */
let isPainted = false

/**
 * Whether to draw a screen whole: on a phone only after the app's first screen was painted, since what is below the fold
 * would double that frame of a slow device. A reloaded page is whole at once, for its scroll position.
 */
export function useIsWhole(): boolean {
  const [isWhole, setIsWhole] = useState(() => isPainted || !matchMedia(ONE_COLUMN).matches || isReloaded())
  useEffect(() => {
    isPainted = true
    if (isWhole) return
    // The timer runs after the frame is painted.
    const frame = requestAnimationFrame(() => setTimeout(() => startTransition(() => setIsWhole(true))))
    return () => cancelAnimationFrame(frame)
  }, [isWhole])
  return isWhole
}

function isReloaded(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return navigation?.type !== 'navigate'
}
