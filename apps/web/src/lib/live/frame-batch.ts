/** A hidden tab draws no frames: it hands over at least this often, ms. */
const HIDDEN_FLUSH_MS = 1_000
/** However much comes, it is handed over, and drawn, at most this often, ms: what is left of the time is the player's. */
const FLOOD_FLUSH_MS = 100
/** More than this many are handed over at once, so that a flood cannot fill the memory. */
const PENDING_MAX = 2_000

export interface FrameBatch<T> {
  push(item: T): void
  /** Drops what waits; nothing is handed over afterwards. */
  stop(): void
}

/**
 * Collects items and hands them over together: what comes alone with the next animation frame, a flood some times a
 * second.
 */
export function frameBatch<T>(handOver: (items: readonly T[]) => void): FrameBatch<T> {
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
    if (items.length > 0) handOver(items)
    // After the work: however long it takes, there is time between it and the next.
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
