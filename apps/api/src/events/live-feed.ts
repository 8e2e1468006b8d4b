import { type MarketEvent, systemTimers, type Timers } from '@papermoon/engine'
import type { Logger } from 'pino'
import type { JournalPage, PlacedEvent, StreamEvent } from './journal.ts'

/** Called for each event, in the order of positions. Must not throw or wait. */
export type Listener<Event> = (event: Event) => void

/** What one transaction wrote: everything with a position in (after, through]. */
export interface Published {
  readonly after: number
  readonly through: number
  /** In order. Null: read them. */
  readonly events: readonly PlacedEvent[] | null
}

interface FeedParts {
  readonly log: Logger
  /** The journal's position at the start; earlier events are not delivered. */
  readonly position: number
  /** Default: the machine's. */
  readonly timers?: Timers
  /** Reads events in (after, through], as many as fit in a page. */
  read(after: number, through: number): Promise<JournalPage>
  /** Tokens hidden at the start; default: none. */
  readonly hidden?: readonly number[]
}

/** Transactions that may wait for an earlier one in memory; others are read from the journal. */
const EARLY_MAX = 1_000

/**
 * Delivers the journal's events to the subscribers of this node: each once, in the order of positions, whether this node, another
 * one or an operator's command committed it. Events whose predecessors are missing wait until those were read.
 */
export class LiveFeed {
  readonly #parts: FeedParts & { readonly timers: Timers }
  /** Everything up to it was delivered. */
  #position: number
  /** The highest position that is known to be committed. */
  #newest: number
  /** Transactions after a gap. */
  #early: Published[] = []
  #reading: Promise<void> | null = null
  readonly #placedListeners = new Set<Listener<PlacedEvent>>()
  readonly #marketListeners = new Set<Listener<MarketEvent>>()
  readonly #tokenListeners = new Map<number, Set<Listener<MarketEvent>>>()
  #hidden: ReadonlySet<number>
  #playerChanges: ReadonlySet<string> = new Set()
  #visibility = 0
  #completeMs: number

  constructor({ timers = systemTimers, ...parts }: FeedParts) {
    this.#parts = { ...parts, timers }
    this.#completeMs = timers.monotonic()
    this.#position = parts.position
    this.#newest = parts.position
    this.#hidden = new Set(parts.hidden ?? [])
  }

  /** Incremented by each change without an event: hidden tokens, deleted players, players who became bots or people. */
  get visibility(): number {
    return this.#visibility
  }

  get position(): number {
    return this.#position
  }

  /** The position that a caller who was answered by now may have seen. */
  get newest(): number {
    return this.#newest
  }

  /** When it last had all that the journal had; monotonic. */
  get completeMs(): number {
    return this.#completeMs
  }

  /** Whether there are events that could not be delivered yet. */
  get isBehind(): boolean {
    return this.#position < this.#newest
  }

  /** Takes what a transaction has committed; drops what was delivered, and reads what is missing before it. */
  readonly publish = (published: Published): void => {
    const { after, through, events } = published
    this.#newest = Math.max(this.#newest, through)
    if (through <= this.#position) return
    if (events !== null && this.#early.length < EARLY_MAX) this.#early.push(published)
    if (after <= this.#position) this.#deliverEarly()
    if (this.isBehind) void this.catchUp()
  }

  /**
   * Reads what is missing up to a position that is committed; default: all that is known of. Resolves once it was delivered, or
   * cannot be read for now.
   */
  async catchUp(position = this.#newest): Promise<void> {
    this.#newest = Math.max(this.#newest, position)
    while (this.#position < position) {
      const before = this.#position
      this.#reading ??= this.#read().finally(() => {
        this.#reading = null
      })
      await this.#reading
      if (this.#position === before) return
    }
  }

  /** Brings the feed to the journal's position, as a poll has read it. */
  async moveTo(position: number): Promise<void> {
    const readMs = this.#parts.timers.monotonic()
    await this.catchUp(position)
    if (this.#position >= position) this.#completeMs = readMs
  }

  /** For a change without an event that may affect any answer. */
  noteChange(): void {
    this.#visibility++
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

  /** Attaches a listener to all events, with their positions; returns its detach function. */
  onPlaced(listener: Listener<PlacedEvent>): () => void {
    this.#placedListeners.add(listener)
    return () => this.#placedListeners.delete(listener)
  }

  /** Attaches a listener to the events of all tokens, hidden ones included; returns its detach function. */
  onEvent(listener: Listener<MarketEvent>): () => void {
    this.#marketListeners.add(listener)
    return () => this.#marketListeners.delete(listener)
  }

  /** Attaches a listener to one token; returns its detach function. */
  onTokenEvent(tokenId: number, listener: Listener<MarketEvent>): () => void {
    const listeners = this.#tokenListeners.get(tokenId) ?? new Set()
    this.#tokenListeners.set(tokenId, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#tokenListeners.delete(tokenId)
    }
  }

  async #read(): Promise<void> {
    try {
      // Where transactions wait, up to the last gap before them: they need not be read.
      const through = Math.max(0, ...this.#early.map(({ after }) => after)) || this.#newest
      const page = await this.#parts.read(this.#position, through)
      this.#deliver({ after: this.#position, through: page.through, events: page.events })
      this.#deliverEarly()
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'the journal could not be read yet')
    }
  }

  /** Delivers transactions that wait, as far as there is no gap. */
  #deliverEarly(): void {
    const early = this.#early.sort((a, b) => a.after - b.after)
    let next = 0
    for (let [first] = early; first !== undefined && first.after <= this.#position; first = early[next]) {
      this.#deliver(first)
      next++
    }
    this.#early = early.slice(next)
  }

  #deliver({ through, events }: Published): void {
    for (const placed of events ?? []) {
      if (placed.place <= this.#position) continue
      this.#position = placed.place
      this.#tell(placed, this.#placedListeners)
      if (!isOfMarket(placed.event)) continue
      this.#tell(placed.event, this.#marketListeners)
      this.#tell(placed.event, this.#tokenListeners.get(placed.event.tokenId) ?? [])
    }
    this.#position = Math.max(this.#position, through)
  }

  #tell<Event>(event: Event, listeners: Iterable<Listener<Event>>): void {
    for (const listener of listeners) {
      try {
        listener(event)
      } catch (error) {
        this.#parts.log.error({ err: error }, 'a listener of the live feed failed')
      }
    }
  }
}

/** Words and orders reach no cache. */
function isOfMarket(event: StreamEvent): event is MarketEvent {
  return event.type !== 'post' && event.type !== 'order' && event.type !== 'fair'
}
