const LATEST_MS = 2_000

/** A promise that settles when the last action in the queue has ended. */
let previous: Promise<unknown> = Promise.resolve()

/**
 * Runs `act` when the browser is idle, after the actions that were queued earlier. Without this queue, the code of
 * several components would arrive and run in one long task. Waits at most 2 seconds for each idle period and for each
 * action's promise. Returns a function that cancels the action.
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

/** Resolves after `ms`, in a new task. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
