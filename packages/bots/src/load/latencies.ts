/** Width of a bucket: neighbouring bounds differ by one percent. */
const GROWTH = 1.01
/** Upper bound of the first bucket, in ms. */
const LEAST_MS = 0.1
/** About two hours at the last bucket. */
const BUCKETS = 1_820

/** Latencies in ms, in buckets one percent wide: percentiles in constant space, however long a run is. */
export class Latencies {
  readonly #counts = new Uint32Array(BUCKETS)
  #count = 0
  #maxMs = 0

  get count(): number {
    return this.#count
  }

  /** The largest one, exactly; 0 for none. */
  get maxMs(): number {
    return this.#maxMs
  }

  add(ms: number): void {
    const bucket = ms <= LEAST_MS ? 0 : Math.ceil(Math.log(ms / LEAST_MS) / Math.log(GROWTH))
    const index = Math.min(bucket, BUCKETS - 1)
    this.#counts[index] = (this.#counts[index] ?? 0) + 1
    this.#count++
    this.#maxMs = Math.max(this.#maxMs, ms)
  }

  /** The latency that this share of orders (above 0, up to 1) did not exceed, at most one percent too high; 0 for none. */
  percentileMs(share: number): number {
    const rank = Math.ceil(this.#count * share)
    let seen = 0
    for (const [bucket, count] of this.#counts.entries()) {
      seen += count
      if (count > 0 && seen >= rank) return Math.min(LEAST_MS * GROWTH ** bucket, this.#maxMs)
    }
    return 0
  }
}
