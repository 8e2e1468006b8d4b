/** Something was not ready when whoever waited had to go on without it. */
export class TooLateError extends Error {}

/** What `work` answers or throws within `ms`, else `TooLateError`; the work itself goes on. */
export async function withinTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new TooLateError(`not ready within ${ms} ms`)), ms)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
