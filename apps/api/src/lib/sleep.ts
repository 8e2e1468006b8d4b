import type { Timers } from '@papermoon/engine'

/** Resolves after `ms`, or when the signal is aborted. */
export function sleep(timers: Timers, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const end = () => {
      cancel()
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const cancel = timers.after(ms, end)
    signal?.addEventListener('abort', end)
  })
}
