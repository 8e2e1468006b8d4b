/** A hidden tab draws no frames: it hands over at least this often, ms. */
const HIDDEN_FLUSH_MS = 1_000
/** More than this many are handed over at once, so that a flood cannot fill the memory. */
const PENDING_MAX = 2_000

export interface FrameBatch<T> {
  push(item: T): void
  /** Drops what waits; nothing is handed over afterwards. */
  stop(): void
}

/** Collects items and hands them over together, at most once an animation frame. */
export function frameBatch<T>(handOver: (items: readonly T[]) => void): FrameBatch<T> {
  let pending: T[] = []
  let frame: number | null = null
  let timer: ReturnType<typeof setTimeout> | null = null

  const cancel = () => {
    if (frame !== null) cancelAnimationFrame(frame)
    if (timer !== null) clearTimeout(timer)
    frame = null
    timer = null
  }
  const flush = () => {
    cancel()
    const items = pending
    pending = []
    if (items.length > 0) handOver(items)
  }
  return {
    push(item) {
      pending.push(item)
      if (pending.length >= PENDING_MAX) return flush()
      frame ??= requestAnimationFrame(flush)
      timer ??= setTimeout(flush, HIDDEN_FLUSH_MS)
    },
    stop() {
      cancel()
      pending = []
    },
  }
}
