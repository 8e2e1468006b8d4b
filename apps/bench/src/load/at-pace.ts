import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'

interface Pace {
  readonly perSecond: number
  readonly seconds: number
}

/** Starts a request at even intervals, without waiting for earlier ones. Resolves to the requests' results. */
export async function atPace<T>({ perSecond, seconds }: Pace, request: (n: number) => Promise<T>): Promise<T[]> {
  const startedMs = performance.now()
  const results: Promise<T>[] = []
  for (let n = 0; n < seconds * perSecond; n++) {
    const dueMs = startedMs + (n * 1_000) / perSecond
    if (dueMs > performance.now()) await delay(dueMs - performance.now())
    const result = request(n)
    // The caller gets the error at the end; without a handler until then, Node would exit.
    result.catch(() => {})
    results.push(result)
  }
  return await Promise.all(results)
}
