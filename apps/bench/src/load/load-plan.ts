/** A load on a local port. */
export interface LoadPlan {
  readonly port: number
  /** Complete requests as text, taken in turn beginning at `first`. */
  readonly requests: readonly string[]
  readonly first: number
  /** Number of connections, with one request in flight each. */
  readonly connections: number
  readonly seconds: number
  /** Status of every answer; default 200. */
  readonly status?: number
}

export type LoadResult = {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly megabytesPerSecond: number
  /** Number of answered requests. */
  readonly answered: number
}
