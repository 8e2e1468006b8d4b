/** Work took longer than its caller could wait. */
export class TimeoutError extends Error {}

/** Settles as `work` does if it settles within `ms`, else throws `TimeoutError`; the work itself goes on. */
export async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new TimeoutError(`not ready within ${ms} ms`)), ms)
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
