import { performance } from 'node:perf_hooks'

/** Time, chance and the event loop, as the lead uses them. A simulation brings its own. */
export interface Runtime {
  /** The monotonic clock. */
  nowMs(): number
  /** From 0 to below 1. */
  random(): number
  /** Runs something once after a time; the process may end before. Returns what cancels it. */
  after(ms: number, run: () => void): () => void
  /** Runs something in the next turn of the event loop, after what has arrived by then. */
  nextTurn(run: () => void): void
}

export const processRuntime: Runtime = {
  nowMs: () => performance.now(),
  random: Math.random,
  after: (ms, run) => {
    const timer = setTimeout(run, ms).unref()
    return () => clearTimeout(timer)
  },
  nextTurn: (run) => void setImmediate(run),
}

export async function sleep(runtime: Runtime, ms: number): Promise<void> {
  await new Promise<void>((resolve) => void runtime.after(Math.max(0, ms), resolve))
}
