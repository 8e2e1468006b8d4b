/** Max time between flushes in a hidden tab, ms. Hidden tabs get no animation frames. */
const HIDDEN_FLUSH_MS = 1_000
/** Min time between flushes under load, ms. The rest of the time keeps the page responsive. */
const FLOOD_FLUSH_MS = 100
/** Max number of pending items before an immediate flush, which limits memory. */
const PENDING_MAX = 2_000

export interface FrameBatch<T> {
  push(item: T): void
  /** Discards the pending items and ignores later items. */
  stop(): void
}

/**
 * Collects items and delivers them in batches: a few items with the next animation frame, many items at most every
 * `FLOOD_FLUSH_MS`.
 */
export function frameBatch<T>(deliver: (items: readonly T[]) => void): FrameBatch<T> {
  let pending: T[] = []
  let flushedAt = Number.NEGATIVE_INFINITY
  let frame: number | null = null
  let pause: ReturnType<typeof setTimeout> | null = null
  let timer: ReturnType<typeof setTimeout> | null = null

  const cancel = () => {
    if (frame !== null) cancelAnimationFrame(frame)
    if (pause !== null) clearTimeout(pause)
    if (timer !== null) clearTimeout(timer)
    frame = null
    pause = null
    timer = null
  }
  const flush = () => {
    cancel()
    const items = pending
    pending = []
    if (items.length > 0) deliver(items)
    // Measure the time after the work, so that time remains between two flushes even if the work takes long.
    flushedAt = performance.now()
  }
  const askForFrame = () => {
    frame = requestAnimationFrame(flush)
  }
  const schedule = () => {
    timer = setTimeout(flush, HIDDEN_FLUSH_MS)
    const pauseMs = flushedAt + FLOOD_FLUSH_MS - performance.now()
    if (pauseMs <= 0) askForFrame()
    else pause = setTimeout(askForFrame, pauseMs)
  }
  return {
    push(item) {
      pending.push(item)
      if (pending.length >= PENDING_MAX) return flush()
      if (timer === null) schedule()
    },
    stop() {
      cancel()
      pending = []
    },
  }
}
