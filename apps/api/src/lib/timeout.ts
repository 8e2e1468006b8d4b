/** Something was not ready when whoever waited had to go on without it. */
export class TimeoutError extends Error {}

/** What `work` answers or throws within `ms`, else `TimeoutError`; the work itself goes on. */
export async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new TimeoutError(`not ready within ${ms} ms`)), ms)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
