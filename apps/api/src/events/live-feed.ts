import type { Database } from '@papermoon/db'
import type { MarketEvent } from '@papermoon/engine'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { JOURNAL_PAGE, readLaunch, readTokenEvents } from './journal.ts'

/** Called for each event, in the order of its token's sequence numbers; must not throw or wait. */
export type Listener = (event: MarketEvent) => void

/**
 * The one place where a node's subscribers hear of the market.
 *
 * Per token, listeners get every event after the moment they attached, once, in commit order, whether this
 * node committed it, another did, or an operator's command.
 */
export interface LiveFeed {
  /** Grows with each change that no event tells of: what an operator hides, and who was deleted. */
  readonly visibility: number
  /** Hands over committed events; repeats are dropped, gaps are read from the journal first. */
  readonly publish: (events: readonly MarketEvent[]) => void
  /** The journal holds events of this token up to `seq`: read what is missing. */
  catchUp(tokenId: number, seq: number): void
  /** Whether events of a token (of any, for null) have arrived that its listeners could not be told of yet. */
  isBehind(tokenId: number | null): boolean
  /** Which tokens an operator hides: all of them, read a moment ago. */
  setHidden(tokenIds: readonly number[]): void
  /** Which players were deleted of late. */
  setDeleted(userIds: readonly number[]): void
  /** Whether an operator hides a token: its events concern this node still, and nobody at its doors. */
  isHidden(tokenId: number): boolean
  /** Attaches a listener to the whole market, hidden tokens included; returns the way to detach it. */
  onEvent(listener: Listener): () => void
  /** Attaches a listener to one token; returns the way to detach it. */
  onTokenEvent(tokenId: number, listener: Listener): () => void
}

interface FeedParts {
  readonly db: Kysely<Database>
  readonly log: Logger
  /** The last sequence number of every token when the feed begins. */
  readonly seqs: Iterable<{ readonly tokenId: number; readonly seq: number }>
  /** The tokens that are hidden when the feed begins; none unless told. */
  readonly hidden?: readonly number[]
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
  /** Tokens with a gap, and how far it reaches; their events wait in the journal meanwhile. */
  readonly #behind = new Map<number, number>()
  /** Those whose gap is being read. */
  readonly #filling = new Set<number>()
  readonly #marketListeners = new Set<Listener>()
  readonly #tokenListeners = new Map<number, Set<Listener>>()
  #hidden: ReadonlySet<number>
  #deleted: ReadonlySet<number> = new Set()
  #visibility = 0

  constructor(parts: FeedParts) {
    this.#parts = parts
    for (const { tokenId, seq } of parts.seqs) this.#told.set(tokenId, seq)
    this.#hidden = new Set(parts.hidden ?? [])
  }

  get visibility(): number {
    return this.#visibility
  }

  readonly publish = (events: readonly MarketEvent[]): void => {
    for (const event of events) this.#accept(event)
  }

  catchUp(tokenId: number, seq: number): void {
    if (seq <= (this.#told.get(tokenId) ?? -1)) return
    this.#behind.set(tokenId, Math.max(this.#behind.get(tokenId) ?? 0, seq))
    if (!this.#filling.has(tokenId)) void this.#fill(tokenId)
  }

  isBehind(tokenId: number | null): boolean {
    return tokenId === null ? this.#behind.size > 0 : this.#behind.has(tokenId)
  }

  setHidden(tokenIds: readonly number[]): void {
    if (tokenIds.length === this.#hidden.size && tokenIds.every((id) => this.#hidden.has(id))) return
    this.#hidden = new Set(tokenIds)
    this.#visibility++
  }

  setDeleted(userIds: readonly number[]): void {
    const isNew = userIds.some((id) => !this.#deleted.has(id))
    this.#deleted = new Set(userIds)
    if (isNew) this.#visibility++
  }

  isHidden(tokenId: number): boolean {
    return this.#hidden.has(tokenId)
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
    // Of a token that was not told of, the launch comes first. What comes next is told also while the journal is read for it:
    // a poll often finds what this node has committed and is about to publish.
    if (told !== undefined && event.seq === told + 1) this.#tell(event)
    else this.catchUp(event.tokenId, event.seq)
  }

  #tell(event: MarketEvent): void {
    this.#told.set(event.tokenId, event.seq)
    if (!this.#isMissing(event.tokenId)) this.#behind.delete(event.tokenId)
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

  /**
   * Reads a token's gap and tells it, until nothing is missing. What cannot be read now stays a gap, which is tried again
   * with the token's next event or the next poll that finds it.
   */
  async #fill(tokenId: number): Promise<void> {
    this.#filling.add(tokenId)
    try {
      for (let attempts = 0; attempts < FILL_ATTEMPTS_MAX && this.#isMissing(tokenId); attempts++) {
        if (await this.#tellLaunch(tokenId)) await this.#tellGap(tokenId)
      }
    } catch (error) {
      this.#parts.log.warn({ err: error, tokenId }, 'a gap in the live feed could not be read yet')
    } finally {
      this.#filling.delete(tokenId)
      if (!this.#isMissing(tokenId)) this.#behind.delete(tokenId)
    }
  }

  async #tellGap(tokenId: number): Promise<void> {
    let page: MarketEvent[]
    do {
      page = await readTokenEvents(this.#parts.db, { tokenId, after: this.#told.get(tokenId) ?? 0 })
      for (const event of page) this.#tellUntold(event)
    } while (page.length >= JOURNAL_PAGE)
  }

  /** Of what the journal has; some of it may have been published while it was read. */
  #tellUntold(event: MarketEvent): void {
    if (event.seq > (this.#told.get(event.tokenId) ?? 0)) this.#tell(event)
  }

  /** Whether the token's launch has been told of, now or before. */
  async #tellLaunch(tokenId: number): Promise<boolean> {
    if (this.#told.has(tokenId)) return true
    const launch = await readLaunch(this.#parts.db, tokenId)
    // It may have arrived while it was read.
    if (launch !== null && !this.#told.has(tokenId)) this.#tell(launch)
    return this.#told.has(tokenId)
  }

  #isMissing(tokenId: number): boolean {
    return (this.#told.get(tokenId) ?? -1) < (this.#behind.get(tokenId) ?? -1)
  }
}
