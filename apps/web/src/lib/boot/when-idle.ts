const LATEST_MS = 2_000

/** Runs `act` when the browser has nothing better to do, within 2 seconds; returns the way to call it off. */
export function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const handle = requestIdleCallback(act, { timeout: LATEST_MS })
    return () => cancelIdleCallback(handle)
  }
  const timer = setTimeout(act, 1)
  return () => clearTimeout(timer)
}
