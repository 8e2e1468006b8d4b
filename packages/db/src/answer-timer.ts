/** Thrown when a response took too long. */
export class TimeoutError extends Error {}

/** Settles as `work` does if it settles within `ms`, otherwise throws `TimeoutError`. The work itself continues. */
export async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const stop = startAnswerTimer(ms, () => reject(new TimeoutError(`not ready within ${ms} ms`)))
  try {
    return await Promise.race([work, timeout])
  } finally {
    stop()
  }
}

/**
 * Calls `onTimeout` after `ms`, unless stopped before. After a stall of this process, Node fires timers before it reads
 * the data that arrived meanwhile. So the time runs in two halves and ends after one more read of the sockets: a
 * response that arrived during a stall still counts.
 */
export function startAnswerTimer(ms: number, onTimeout: () => void): () => void {
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
