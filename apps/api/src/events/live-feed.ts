import type { Database } from '@papermoon/db'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { MarketEvent } from './event.ts'
import { JOURNAL_PAGE, readTokenEvents } from './journal.ts'

/** Called for each event, in the order of its token's sequence numbers; must not throw or wait. */
export type Listener = (event: MarketEvent) => void

/**
 * The one place where a node's subscribers hear of the market.
 *
 * Per token, listeners get every event after the moment they attached, once, in commit order, whether this
 * node committed it, another did, or an operator's command.
 */
export interface LiveFeed {
  /** Grows with every event that arrives, before anybody hears of it: what was read of the market before is old. */
  readonly version: number
  /** Hands over committed events; repeats are dropped, gaps are read from the journal first. */
  readonly publish: (events: readonly MarketEvent[]) => void
  /** The journal holds events of this token up to `seq`: read what is missing. */
  catchUp(tokenId: number, seq: number): void
  /** Attaches a listener to the whole market; returns the way to detach it. */
  onEvent(listener: Listener): () => void
  /** Attaches a listener to one token; returns the way to detach it. */
  onTokenEvent(tokenId: number, listener: Listener): () => void
}

interface FeedParts {
  readonly db: Kysely<Database>
  readonly log: Logger
  /** The last sequence number of every token when the feed begins. */
  readonly seqs: Iterable<{ readonly tokenId: number; readonly seq: number }>
}

/** A feed that begins after `seqs`. */
export function createLiveFeed(parts: FeedParts): LiveFeed {
  return new SequencedFeed(parts)
}

/** How often a gap is read again when its end is not visible yet. */
const FILL_ATTEMPTS_MAX = 5

class SequencedFeed implements LiveFeed {
  readonly #parts: FeedParts
  /** The last event each token's listeners were told of. */
  readonly #told = new Map<number, number>()
  /** Tokens whose gap is being read, and how far it reaches; their events wait in the journal meanwhile. */
  readonly #filling = new Map<number, number>()
  readonly #marketListeners = new Set<Listener>()
  readonly #tokenListeners = new Map<number, Set<Listener>>()
  #version = 0

  constructor(parts: FeedParts) {
    this.#parts = parts
    for (const { tokenId, seq } of parts.seqs) this.#told.set(tokenId, seq)
  }

  get version(): number {
    return this.#version
  }

  readonly publish = (events: readonly MarketEvent[]): void => {
    this.#version += events.length
    for (const event of events) this.#accept(event)
  }

  catchUp(tokenId: number, seq: number): void {
    const filling = this.#filling.get(tokenId)
    if (filling !== undefined) {
      this.#filling.set(tokenId, Math.max(filling, seq))
    } else if (seq > (this.#told.get(tokenId) ?? 0)) {
      this.#filling.set(tokenId, seq)
      void this.#fill(tokenId)
    }
  }

  onEvent(listener: Listener): () => void {
    this.#marketListeners.add(listener)
    return () => this.#marketListeners.delete(listener)
  }

  onTokenEvent(tokenId: number, listener: Listener): () => void {
    const listeners = this.#tokenListeners.get(tokenId) ?? new Set()
    this.#tokenListeners.set(tokenId, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#tokenListeners.delete(tokenId)
    }
  }

  #accept(event: MarketEvent): void {
    const told = this.#told.get(event.tokenId)
    if (event.type === 'token_launched') {
      if (told === undefined) this.#tell(event)
      return
    }
    const isNext = event.seq === (told ?? 0) + 1 && !this.#filling.has(event.tokenId)
    if (isNext) this.#tell(event)
    else this.catchUp(event.tokenId, event.seq)
  }

  #tell(event: MarketEvent): void {
    this.#version++
    this.#told.set(event.tokenId, event.seq)
    for (const listener of this.#marketListeners) this.#call(listener, event)
    for (const listener of this.#tokenListeners.get(event.tokenId) ?? []) this.#call(listener, event)
  }

  #call(listener: Listener, event: MarketEvent): void {
    try {
      listener(event)
    } catch (error) {
      this.#parts.log.error({ err: error }, 'a listener of the live feed failed')
    }
  }

  /** Reads a token's gap and tells it, until nothing is missing. What cannot be read now is found by the next poll. */
  async #fill(tokenId: number): Promise<void> {
    try {
      for (let attempts = 0; attempts < FILL_ATTEMPTS_MAX && this.#isMissing(tokenId); attempts++) {
        let page: MarketEvent[]
        do {
          page = await readTokenEvents(this.#parts.db, tokenId, this.#told.get(tokenId) ?? 0)
          for (const event of page) this.#tell(event)
        } while (page.length >= JOURNAL_PAGE)
      }
    } catch (error) {
      this.#parts.log.warn({ err: error, tokenId }, 'a gap in the live feed could not be read yet')
    } finally {
      this.#filling.delete(tokenId)
    }
  }

  #isMissing(tokenId: number): boolean {
    return (this.#told.get(tokenId) ?? 0) < (this.#filling.get(tokenId) ?? 0)
  }
}
