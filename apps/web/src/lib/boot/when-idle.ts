const LATEST_MS = 2_000

/** Runs `act` when the browser is idle, after 2 seconds at the latest. Returns a function that cancels it. */
export function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const handle = requestIdleCallback(act, { timeout: LATEST_MS })
    return () => cancelIdleCallback(handle)
  }
  const timer = setTimeout(act, 1)
  return () => clearTimeout(timer)
}
