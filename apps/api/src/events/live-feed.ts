import { type MarketEvent, systemTimers, type Timers } from '@papermoon/engine'
import type { Logger } from 'pino'
import type { JournalPage, PlacedEvent, StreamEvent } from './journal.ts'

/** Called for each event, in the order of positions. The listener must not throw errors or wait. */
export type Listener<Event> = (event: Event) => void

/** All events of one transaction; their positions are after `after` and at most `through`. */
export interface Published {
  readonly after: number
  readonly through: number
  /** The events in order. The list is null if the feed must read the events from the journal. */
  readonly events: readonly PlacedEvent[] | null
}

interface FeedParts {
  readonly log: Logger
  /** The journal's position when the feed starts. Events before that position are not delivered. */
  readonly position: number
  /** Timers of the feed. By default, the machine's timers. */
  readonly timers?: Timers
  /** Reads the events after `after` and up to `through` that fit in a page. */
  read(after: number, through: number): Promise<JournalPage>
  /** The tokens that are hidden when the feed starts. */
  readonly hidden?: readonly number[]
}

/** Max number of transactions that wait in memory for an earlier one. */
const EARLY_MAX = 1_000

/**
 * Delivers each of the journal's events once to this node's subscribers, in the order of positions. The events come
 * from this node, from other nodes and from operators' commands. Later events wait until the feed has read the missing
 * earlier events.
 */
export class LiveFeed {
  readonly #parts: FeedParts & { readonly timers: Timers }
  /** Position up to which all events were delivered. */
  #position: number
  /** Highest position that is known to be committed. */
  #newest: number
  /** Transactions that wait until the feed has read the ones before them. */
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

  /**
   * Incremented by each change without an event: hidden tokens, deleted players, and players who became bots or people.
   */
  get visibility(): number {
    return this.#visibility
  }

  get position(): number {
    return this.#position
  }

  /** Highest journal position that a response to any caller can have included so far. */
  get newest(): number {
    return this.#newest
  }

  /** Monotonic time in ms at which the feed was last up to date with the journal. */
  get completeMs(): number {
    return this.#completeMs
  }

  /** Whether some committed events are not delivered yet. */
  get isBehind(): boolean {
    return this.#position < this.#newest
  }

  /** Accepts the events of a committed transaction. Reads earlier events first if some are missing. */
  readonly publish = (published: Published): void => {
    const { after, through, events } = published
    this.#newest = Math.max(this.#newest, through)
    if (through <= this.#position) return
    if (events !== null && this.#early.length < EARLY_MAX) this.#early.push(published)
    if (after <= this.#position) this.#deliverEarly()
    if (this.isBehind) void this.catchUp()
  }

  /**
   * Reads missing events up to a committed position; by default, up to the newest known one. The promise resolves when
   * the events were delivered, or when they cannot be read for now.
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

  /** Delivers all events up to a position to which the poll has read. */
  async moveTo(position: number): Promise<void> {
    const readMs = this.#parts.timers.monotonic()
    await this.catchUp(position)
    if (this.#position >= position) this.#completeMs = readMs
  }

  /** Call `noteChange` after a change without an event that may affect any response. */
  noteChange(): void {
    this.#visibility++
  }

  /** Sets the complete list of hidden tokens. */
  setHidden(tokenIds: readonly number[]): void {
    if (tokenIds.length === this.#hidden.size && tokenIds.every((id) => this.#hidden.has(id))) return
    this.#hidden = new Set(tokenIds)
    this.#visibility++
  }

  /** Sets the recent changes to how players appear. The text is different for every change. */
  setPlayerChanges(changes: readonly string[]): void {
    const isNew = changes.some((change) => !this.#playerChanges.has(change))
    this.#playerChanges = new Set(changes)
    if (isNew) this.#visibility++
  }

  /** Returns whether a token is hidden. Listeners still get its events, but must not send them to clients. */
  isHidden(tokenId: number): boolean {
    return this.#hidden.has(tokenId)
  }

  /** Registers a listener for all events with their positions. Returns a function that removes the listener. */
  onPlaced(listener: Listener<PlacedEvent>): () => void {
    this.#placedListeners.add(listener)
    return () => this.#placedListeners.delete(listener)
  }

  /**
   * Registers a listener for the market events of all tokens, including hidden ones. Returns a function that removes
   * the listener.
   */
  onEvent(listener: Listener<MarketEvent>): () => void {
    this.#marketListeners.add(listener)
    return () => this.#marketListeners.delete(listener)
  }

  /** Registers a listener for one token's market events. Returns a function that removes the listener. */
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
      // Read only up to the first waiting transaction, because later transactions are in memory.
      const through = Math.max(0, ...this.#early.map(({ after }) => after)) || this.#newest
      const page = await this.#parts.read(this.#position, through)
      this.#deliver({ after: this.#position, through: page.through, events: page.events })
      this.#deliverEarly()
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'the journal could not be read yet')
    }
  }

  /** Delivers waiting transactions until one is missing. */
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
      this.#notify(placed, this.#placedListeners)
      if (!isOfMarket(placed.event)) continue
      this.#notify(placed.event, this.#marketListeners)
      this.#notify(placed.event, this.#tokenListeners.get(placed.event.tokenId) ?? [])
    }
    this.#position = Math.max(this.#position, through)
  }

  #notify<Event>(event: Event, listeners: Iterable<Listener<Event>>): void {
    for (const listener of listeners) {
      try {
        listener(event)
      } catch (error) {
        this.#parts.log.error({ err: error }, 'a listener of the live feed failed')
      }
    }
  }
}

/** Posts, orders and fair events do not change cached queries. */
function isOfMarket(event: StreamEvent): event is MarketEvent {
  return event.type !== 'post' && event.type !== 'order' && event.type !== 'fair'
}
