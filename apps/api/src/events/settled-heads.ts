import type { JournalHeads } from './journal.ts'

/**
 * A transaction that stays open delays settling by at most this long, which exceeds the time between a batch's ids and its
 * commit: four statements (launches, rug pulls, the batch, the commit) of ten seconds each.
 */
const UNSETTLED_MAX_MS = 45_000

/**
 * How far the journal is settled. Ids are committed out of order, so heads are settled only once every transaction that could
 * write at or below them has ended.
 */
export class SettledHeads<Heads extends JournalHeads = JournalHeads> {
  #settled: Heads | null = null
  /** Oldest first. */
  #waiting: { readonly heads: Heads; readonly atMs: number }[] = []

  get settled(): Heads | null {
    return this.#settled
  }

  /** Whether the journal had gone on at the last look. */
  get isBehind(): boolean {
    const last = this.#waiting.at(-1)?.heads
    return last !== undefined && (last.entry !== this.#settled?.entry || last.tokenId !== this.#settled.tokenId)
  }

  /** Takes heads, and the monotonic time before they were read. */
  note(heads: Heads, atMs: number): void {
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      if (first.heads.transaction > heads.oldestRunning && first.atMs >= atMs - UNSETTLED_MAX_MS) break
      this.#settled = first.heads
      this.#waiting.shift()
    }
    this.#waiting.push({ heads, atMs })
  }
}
