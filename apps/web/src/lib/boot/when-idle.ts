const LATEST_MS = 2_000

/** The last act that was queued; settles when that act has ended. */
let previous: Promise<unknown> = Promise.resolve()

/**
 * Runs `act` when the browser is idle, after the acts queued before it: code that several parts load would otherwise
 * arrive, and run, in one long task. Waits at most 2 seconds for each idle moment and for each act's promise. Returns a
 * function that cancels it.
 */
export function whenIdle(act: () => unknown): () => void {
  let isCancelled = false
  const run = () => (isCancelled ? undefined : Promise.race([act(), sleep(LATEST_MS)]))
  previous = previous.then(() => (isCancelled ? undefined : waitForIdle().then(run))).catch(reportError)
  return () => {
    isCancelled = true
  }
}

function waitForIdle(): Promise<unknown> {
  if (typeof requestIdleCallback !== 'function') return sleep(1)
  return new Promise((resolve) => requestIdleCallback(resolve, { timeout: LATEST_MS }))
}

/** Resolves after `ms`, in a task of its own. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
