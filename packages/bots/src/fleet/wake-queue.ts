/** A planned look by a bot at a token. */
export interface Wake {
  readonly atMs: number
  readonly member: number
  readonly tokenId: number
}

const WAKES_MAX = 4096

/** A binary heap with at most 4,096 planned looks, the earliest first. */
export class WakeQueue {
  readonly #heap: Wake[] = []

  get nextAtMs(): number {
    return this.#heap[0]?.atMs ?? Number.POSITIVE_INFINITY
  }

  /** Adds a look, or drops the look if the queue is full. */
  push(wake: Wake): void {
    const heap = this.#heap
    if (heap.length >= WAKES_MAX) return
    let index = heap.length
    while (index > 0) {
      const parent = (index - 1) >> 1
      const above = heap[parent] as Wake
      if (above.atMs <= wake.atMs) break
      heap[index] = above
      index = parent
    }
    heap[index] = wake
  }

  pop(): Wake | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined || heap.length === 0) return first
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && (heap[child + 1] as Wake).atMs < (heap[child] as Wake).atMs) child++
      if ((heap[child] as Wake).atMs >= last.atMs) break
      heap[index] = heap[child] as Wake
      index = child
    }
    heap[index] = last
    return first
  }
}
