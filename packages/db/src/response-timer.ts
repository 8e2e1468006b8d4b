/** Thrown if a response takes too long. */
export class TimeoutError extends Error {}

/**
 * Resolves or rejects as `work` does, if that happens within `ms`. Otherwise throws `TimeoutError`. The work continues.
 */
export async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const stop = startResponseTimer(ms, () => reject(new TimeoutError(`not ready within ${ms} ms`)))
  try {
    return await Promise.race([work, timeout])
  } finally {
    stop()
  }
}

/**
 * Calls `onTimeout` after `ms`, unless the timer is stopped before. After this process stalled, Node fires timers
 * before it reads the data that arrived meanwhile. The time therefore runs in two halves, and ends after one more read
 * of the sockets. A response that arrived during a stall therefore counts.
 */
export function startResponseTimer(ms: number, onTimeout: () => void): () => void {
  let immediate: NodeJS.Immediate | undefined
  let timer = setTimeout(() => {
    timer = setTimeout(() => {
      immediate = setImmediate(onTimeout)
    }, ms / 2)
  }, ms / 2)
  return () => {
    clearTimeout(timer)
    clearImmediate(immediate)
  }
}
