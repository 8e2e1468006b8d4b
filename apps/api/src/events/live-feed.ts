import type { PostEvent } from '@papermoon/contract/posts'
import type { Db } from '@papermoon/db'
import type { MarketEvent, SealEvent } from '@papermoon/engine'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { PlacedPost } from '../talk/read-posts.ts'
import { JOURNAL_PAGE, type OwnOrderEvent, type PlacedOrder, readLaunch, readTokenEvents } from './journal.ts'

/** Called for each event, in the order of its token's sequence numbers. Must not throw or wait. */
export type Listener = (event: MarketEvent) => void
export type PostListener = (event: PostEvent) => void
export type OrderListener = (event: OwnOrderEvent) => void

interface FeedParts {
  readonly db: Db
  readonly log: Logger
  /** The last sequence number of every token at the start, and its seals; earlier events are not delivered. */
  readonly seqs: Iterable<{ readonly tokenId: number; readonly seq: number; readonly seals?: number }>
  /** Tokens hidden at the start; default: none. */
  readonly hidden?: readonly number[]
}

/** Of seals and of posts each: more than come between two places of the journal that it is read from. */
const SEALS_MAX = 50_000
/** Max reads of a gap whose end is not visible in the database yet. */
const FILL_ATTEMPTS_MAX = 5

/**
 * Delivers market events to the subscribers of this node. Per token, a listener gets every event after it was attached,
 * once, in commit order, whether this node, another one or an operator's command committed it.
 */
export class LiveFeed {
  readonly #parts: FeedParts
  /** Sequence number of the last event delivered, by token. */
  readonly #delivered = new Map<number, number>()
  /** Tokens with a gap, and the sequence number it extends to; their events are read from the journal. */
  readonly #behind = new Map<number, number>()
  /** Tokens whose gap is being read. */
  readonly #filling = new Map<number, Promise<void>>()
  /** The seals and their ends that were delivered last: they have no sequence number, and come in any order. */
  readonly #seals = new LRUCache<string, true>({ maxSize: SEALS_MAX, sizeCalculation: () => 1 })
  /** Places of the posts and orders that were delivered last. */
  readonly #places = new LRUCache<number, true>({ maxSize: SEALS_MAX, sizeCalculation: () => 1 })
  readonly #postListeners = new Set<PostListener>()
  readonly #orderListeners = new Set<OrderListener>()
  readonly #marketListeners = new Set<Listener>()
  readonly #tokenListeners = new Map<number, Set<Listener>>()
  /** Number of the newest seal, by token. */
  readonly #sealNumbers = new Map<number, number>()
  #hidden: ReadonlySet<number>
  #playerChanges: ReadonlySet<string> = new Set()
  #visibility = 0

  constructor(parts: FeedParts) {
    this.#parts = parts
    for (const { tokenId, seq, seals = 0 } of parts.seqs) {
      this.#delivered.set(tokenId, seq)
      if (seals > 0) this.#sealNumbers.set(tokenId, seals)
    }
    this.#hidden = new Set(parts.hidden ?? [])
  }

  /** Incremented by each change without an event: hidden and adopted tokens, deleted players, players who became bots or people. */
  get visibility(): number {
    return this.#visibility
  }

  /** Tokens with events that have arrived and could not be delivered yet. */
  get gaps(): number {
    return this.#behind.size
  }

  /** Accepts committed events; drops duplicates, and reads gaps from the journal first. */
  readonly publish = (events: readonly MarketEvent[]): void => {
    for (const event of events) this.#accept(event)
  }

  /** Accepts posts; drops known ones. They reach the listeners of posts only, never a cache. */
  readonly publishPosts = (posts: readonly PlacedPost[]): void => {
    for (const { place, event } of posts) {
      // As with seals, a token's launch comes first; the poll finds the post again.
      if (this.#places.has(place) || (event.tokenId > 0 && !this.#delivered.has(event.tokenId))) continue
      this.#places.set(place, true)
      this.#tell(event, this.#postListeners)
    }
  }

  /** Accepts changes of waiting orders; drops known ones. They reach the listeners of orders only. */
  readonly publishOrders = (orders: readonly PlacedOrder[]): void => {
    for (const { place, event } of orders) {
      if (this.#places.has(place)) continue
      this.#places.set(place, true)
      this.#tell(event, this.#orderListeners)
    }
  }

  /**
   * Reads missing events of a token from the journal, which holds them up to `seq`. Resolves once they are delivered, or
   * cannot be read for now.
   */
  async catchUp(tokenId: number, seq: number): Promise<void> {
    if (this.hasDelivered(tokenId, seq)) return
    this.#behind.set(tokenId, Math.max(this.#behind.get(tokenId) ?? 0, seq))
    const filling = this.#filling.get(tokenId) ?? this.#fill(tokenId)
    this.#filling.set(tokenId, filling)
    await filling
  }

  /** Whether a token's events up to `seq` were delivered. */
  hasDelivered(tokenId: number, seq: number): boolean {
    return seq <= (this.#delivered.get(tokenId) ?? -1)
  }

  /**
   * Takes tokens that were written with their history as they are: their events up to `seq`, and the seals, are never delivered,
   * and every answer that may lack them is read again.
   */
  adopt(tokens: Iterable<{ readonly tokenId: number; readonly seq: number }>, seals: readonly SealEvent[]): void {
    for (const seal of seals) this.#noteSeal(seal)
    for (const { tokenId, seq } of tokens) {
      if (this.hasDelivered(tokenId, seq)) continue
      this.#delivered.set(tokenId, seq)
      if (!this.#isMissing(tokenId)) this.#behind.delete(tokenId)
    }
    this.#visibility++
  }

  /** Whether events of a token (null: of any) have arrived that could not be delivered yet. */
  isBehind(tokenId: number | null): boolean {
    return tokenId === null ? this.#behind.size > 0 : this.#behind.has(tokenId)
  }

  /** Sequence number of the last event of a token that was delivered; 0 for an unknown token. */
  getSeq(tokenId: number): number {
    return this.#delivered.get(tokenId) ?? 0
  }

  /** Number of the newest seal of a token that was delivered or was there before; 0 for none. */
  getSeals(tokenId: number): number {
    return this.#sealNumbers.get(tokenId) ?? 0
  }

  /** Sets the complete list of hidden tokens. */
  setHidden(tokenIds: readonly number[]): void {
    if (tokenIds.length === this.#hidden.size && tokenIds.every((id) => this.#hidden.has(id))) return
    this.#hidden = new Set(tokenIds)
    this.#visibility++
  }

  /** Sets the recent changes to what is shown of players, each a text of its own. */
  setPlayerChanges(changes: readonly string[]): void {
    const isNew = changes.some((change) => !this.#playerChanges.has(change))
    this.#playerChanges = new Set(changes)
    if (isNew) this.#visibility++
  }

  /** Whether a token is hidden: listeners still get its events, clients must not. */
  isHidden(tokenId: number): boolean {
    return this.#hidden.has(tokenId)
  }

  /** Attaches a listener to the whole market, hidden tokens included; returns its detach function. */
  onEvent(listener: Listener): () => void {
    this.#marketListeners.add(listener)
    return () => this.#marketListeners.delete(listener)
  }

  /** Attaches a listener to one token; returns its detach function. */
  onTokenEvent(tokenId: number, listener: Listener): () => void {
    const listeners = this.#tokenListeners.get(tokenId) ?? new Set()
    this.#tokenListeners.set(tokenId, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#tokenListeners.delete(tokenId)
    }
  }

  /** Attaches a listener to the posts about all tokens and in all lobbies; returns its detach function. */
  onPost(listener: PostListener): () => void {
    this.#postListeners.add(listener)
    return () => this.#postListeners.delete(listener)
  }

  /** Attaches a listener to the orders of all players; returns its detach function. */
  onOrder(listener: OrderListener): () => void {
    this.#orderListeners.add(listener)
    return () => this.#orderListeners.delete(listener)
  }

  #accept(event: MarketEvent): void {
    if (event.type === 'seal') {
      this.#acceptSeal(event)
      return
    }
    const delivered = this.#delivered.get(event.tokenId)
    if (event.type === 'token_launched') {
      if (delivered === undefined) this.#deliver(event)
      return
    }
    // An unknown token's launch must come first. The next event is delivered even while its gap is being read: a poll often
    // finds events that this node has committed and is about to publish.
    if (delivered !== undefined && event.seq === delivered + 1) this.#deliver(event)
    else void this.catchUp(event.tokenId, event.seq)
  }

  /** A seal comes after its token's launch. The poll finds again what cannot be delivered yet. */
  #acceptSeal(event: SealEvent): void {
    if (this.#seals.has(toSealKey(event)) || !this.#delivered.has(event.tokenId)) return
    this.#noteSeal(event)
    this.#tellMarket(event)
  }

  #noteSeal(event: SealEvent): void {
    this.#seals.set(toSealKey(event), true)
    this.#sealNumbers.set(event.tokenId, Math.max(event.number, this.getSeals(event.tokenId)))
  }

  #deliver(event: MarketEvent): void {
    this.#delivered.set(event.tokenId, event.seq)
    if (!this.#isMissing(event.tokenId)) this.#behind.delete(event.tokenId)
    this.#tellMarket(event)
  }

  #tellMarket(event: MarketEvent): void {
    this.#tell(event, this.#marketListeners)
    this.#tell(event, this.#tokenListeners.get(event.tokenId) ?? [])
  }

  #tell<Event>(event: Event, listeners: Iterable<(event: Event) => void>): void {
    for (const listener of listeners) {
      try {
        listener(event)
      } catch (error) {
        this.#parts.log.error({ err: error }, 'a listener of the live feed failed')
      }
    }
  }

  /**
   * Reads a token's gap from the journal and delivers it. A gap that cannot be read now is tried again at the token's next
   * event or the next poll.
   */
  async #fill(tokenId: number): Promise<void> {
    try {
      for (let attempts = 0; attempts < FILL_ATTEMPTS_MAX && this.#isMissing(tokenId); attempts++) {
        if (await this.#deliverLaunch(tokenId)) await this.#deliverGap(tokenId)
      }
    } catch (error) {
      this.#parts.log.warn({ err: error, tokenId }, 'a gap in the live feed could not be read yet')
    } finally {
      this.#filling.delete(tokenId)
      if (!this.#isMissing(tokenId)) this.#behind.delete(tokenId)
    }
  }

  async #deliverGap(tokenId: number): Promise<void> {
    let page: MarketEvent[]
    do {
      page = await readTokenEvents(this.#parts.db, { tokenId, after: this.#delivered.get(tokenId) ?? 0 })
      // Skips events that were published while the journal was read.
      for (const event of page) if (!this.hasDelivered(tokenId, event.seq)) this.#deliver(event)
    } while (page.length >= JOURNAL_PAGE)
  }

  /** Delivers the token's launch unless it was; false if the journal does not show it yet. */
  async #deliverLaunch(tokenId: number): Promise<boolean> {
    if (this.#delivered.has(tokenId)) return true
    const launch = await readLaunch(this.#parts.db, tokenId)
    // It may have been published during the read.
    if (launch !== null && !this.#delivered.has(tokenId)) this.#deliver(launch)
    return this.#delivered.has(tokenId)
  }

  #isMissing(tokenId: number): boolean {
    return (this.#delivered.get(tokenId) ?? -1) < (this.#behind.get(tokenId) ?? -1)
  }
}

function toSealKey({ tokenId, number, kind }: SealEvent): string {
  return `${tokenId} ${number} ${kind === 'expired'}`
}
