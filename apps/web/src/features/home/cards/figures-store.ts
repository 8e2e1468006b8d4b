import { useCallback, useSyncExternalStore } from 'react'
import { type CardFigures, client, type TokenId } from '../../../lib/api/api.ts'

export type { CardFigures }

/** Max number of tokens that the server returns per call. */
const IDS_MAX = 48
/** How long requests of visible cards are collected into one call, in ms. */
const COLLECT_MS = 60
/** Time between two refreshes, in ms. The server's data is up to 10 seconds old. */
const REFRESH_MS = 20_000
/** Time before a retry after a failure, in ms. */
const RETRY_MS = 5_000
/** Max number of tokens whose values are stored. The oldest values are dropped first. */
const KEPT_MAX = 1_000

type Read = (ids: readonly TokenId[]) => Promise<readonly CardFigures[]>

/** Loads the values of the tokens whose cards are mounted, several tokens per call, and refreshes them. */
export class FiguresStore {
  readonly #read: Read
  readonly #known = new Map<TokenId, { readonly figures: CardFigures | undefined; readonly atMs: number }>()
  readonly #watched = new Map<TokenId, Set<() => void>>()
  #timer: ReturnType<typeof setTimeout> | null = null
  /** Time of the next call, on the clock of `performance.now()`. */
  #nextMs = 0
  #isReading = false

  constructor(read: Read) {
    this.#read = read
  }

  get(id: TokenId): CardFigures | undefined {
    return this.#known.get(id)?.figures
  }

  /** Keeps a token's values up to date, and calls `listener` when they change. Returns a function that stops this. */
  watch(id: TokenId, listener: () => void): () => void {
    const listeners = this.#watched.get(id) ?? new Set()
    this.#watched.set(id, listeners.add(listener))
    this.#schedule(COLLECT_MS)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#watched.delete(id)
    }
  }

  /** Schedules a refresh in `waitMs`, unless another one is due sooner. */
  #schedule(waitMs: number): void {
    const atMs = performance.now() + waitMs
    if (this.#isReading || (this.#timer !== null && this.#nextMs <= atMs)) return
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#nextMs = atMs
    this.#timer = setTimeout(() => {
      this.#timer = null
      void this.#refresh()
    }, waitMs)
  }

  async #refresh(): Promise<void> {
    const due = this.#findDue()
    if (due.length === 0) {
      if (this.#watched.size > 0) this.#schedule(RETRY_MS)
      return
    }
    this.#isReading = true
    const found = await this.#read(due).catch(() => null)
    this.#isReading = false
    if (found !== null) this.#keep(due, found)
    if (this.#watched.size > 0) this.#schedule(found === null ? RETRY_MS : COLLECT_MS)
  }

  /** Returns the watched tokens whose values are missing or outdated. Returns no tokens while the page is hidden. */
  #findDue(): TokenId[] {
    if (document.hidden) return []
    const before = performance.now() - REFRESH_MS
    const due = [...this.#watched.keys()].filter(
      (id) => (this.#known.get(id)?.atMs ?? Number.NEGATIVE_INFINITY) <= before,
    )
    return due.slice(0, IDS_MAX)
  }

  #keep(asked: readonly TokenId[], found: readonly CardFigures[]): void {
    const atMs = performance.now()
    const byId = new Map(found.map((figures) => [figures.id, figures]))
    for (const id of asked) {
      this.#known.delete(id)
      this.#known.set(id, { figures: byId.get(id), atMs })
      for (const listener of this.#watched.get(id) ?? []) listener()
    }
    for (const id of this.#known.keys()) {
      if (this.#known.size <= KEPT_MAX) break
      if (!this.#watched.has(id)) this.#known.delete(id)
    }
  }
}

export const figuresStore = new FiguresStore((ids) => client.tokens.figures.query({ ids: ids.join(',') }))

/**
 * Returns a token's number of holders and its price line, or undefined until they are loaded. Refreshes the values
 * while the card is mounted.
 */
export function useFigures(id: TokenId): CardFigures | undefined {
  const watch = useCallback((listener: () => void) => figuresStore.watch(id, listener), [id])
  return useSyncExternalStore(watch, () => figuresStore.get(id))
}
