import type { TapeEntry } from '../../../lib/api/api.ts'

/** Entries that come in at one step. Of more trades than that, the newest; the others are never shown. */
const ADDED_MAX = 2
/** Entries on the tape. */
const LENGTH = 20

export interface SlidingTape {
  /** Newest first. */
  readonly entries: readonly TapeEntry[]
  /** How many of them came in with the last step. */
  readonly added: number
}

/** The next step of the tape. A tape without entries is filled at once. */
export function nextTape(shown: readonly TapeEntry[], latest: readonly TapeEntry[]): SlidingTape {
  const [first] = shown
  if (first === undefined) return { entries: latest.slice(0, LENGTH), added: 0 }
  const news = latest.filter(({ id }) => id > first.id).slice(0, ADDED_MAX)
  return { entries: [...news, ...shown].slice(0, LENGTH), added: news.length }
}
