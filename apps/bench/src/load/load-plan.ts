/** A load on one port of this machine. */
export interface LoadPlan {
  readonly port: number
  /** Whole requests, as text; connections take the next in turn, beginning at `first`. */
  readonly requests: readonly string[]
  readonly first: number
  /** Each has one request under way. */
  readonly connections: number
  readonly seconds: number
}

/** What came of it. */
export type LoadResult = {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly megabytesPerSecond: number
  /** Requests that were answered. */
  readonly answered: number
}
