const ROWS_PER_READ = 100
const LIMIT_MAX = 1_500

/** Reads that a page costs beside the call itself; `input` is not validated yet. */
export function countPageReads(input: unknown): number {
  const { limit } = Object(input) as { limit?: unknown }
  return typeof limit === 'number' && limit > 0 && limit <= LIMIT_MAX ? Math.floor(limit / ROWS_PER_READ) : 0
}
