import { startTransition, useEffect, useState } from 'react'

/** Media query for screens on which pages have one column. */
const ONE_COLUMN = '(width < 40em)'

/**
 * Whether the app has painted its first screen. Later screens render completely at once, because the browser may
 * restore their scroll position.
 */
let isPainted = false

/**
 * Returns whether to render a screen completely. On a phone, the first screen renders only its visible part at first,
 * because the rest would double the time of that frame on a slow device. A reloaded page renders completely at once, so
 * the browser can restore its scroll position.
 */
export function useShowBelowFold(): boolean {
  const [showsBelowFold, setShowsBelowFold] = useState(
    () => isPainted || !matchMedia(ONE_COLUMN).matches || isReloaded(),
  )
  useEffect(() => {
    isPainted = true
    if (showsBelowFold) return
    // The timer runs after the frame is painted.
    const frame = requestAnimationFrame(() => setTimeout(() => startTransition(() => setShowsBelowFold(true))))
    return () => cancelAnimationFrame(frame)
  }, [showsBelowFold])
  return showsBelowFold
}

function isReloaded(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return navigation?.type !== 'navigate'
}
