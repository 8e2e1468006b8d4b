/** A server accepts 200 connections from an address, and Node's `fetch` opens one for each call under way. */
const CALLS_MAX = 100

/** Wraps `fetch`: calls beyond the bound wait until others are answered. */
export function createBoundedFetch(send: typeof fetch): typeof fetch {
  let running = 0
  const waiting: (() => void)[] = []
  return async (url, init) => {
    if (running < CALLS_MAX) running++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await send(url, init)
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
