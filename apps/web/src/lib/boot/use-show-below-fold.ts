import { startTransition, useEffect, useState } from 'react'

/** Media query for narrow screens, on which pages have one column. */
const ONE_COLUMN = '(width < 40em)'

/**
 * Whether the app has painted the first screen. Later screens are rendered completely at once, because the browser may
 * restore their scroll position.
 */
let isPainted = false

/**
 * Returns whether to render the whole screen. At first, a phone renders only the visible part of the first screen,
 * because the rest would double the time of that frame. A reloaded page is rendered completely at once, so that the
 * browser can restore its scroll position.
 */
export function useShowBelowFold(): boolean {
  const [showsBelowFold, setShowsBelowFold] = useState(
    () => isPainted || !matchMedia(ONE_COLUMN).matches || isReloaded(),
  )
  useEffect(() => {
    isPainted = true
    if (showsBelowFold) return
    // The timer fires after the frame is painted.
    const frame = requestAnimationFrame(() => setTimeout(() => startTransition(() => setShowsBelowFold(true))))
    return () => cancelAnimationFrame(frame)
  }, [showsBelowFold])
  return showsBelowFold
}

function isReloaded(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return navigation?.type !== 'navigate'
}
