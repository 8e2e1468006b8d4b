import { DEFAULT_KINDS, EVENT_KINDS, type EventKind } from '@papermoon/contract/live'
import { LRUCache } from 'lru-cache'
import { isBlocked, type PostViewer } from '../../features/talk/blocked-players.ts'
import type { PlacedEvent, StreamEvent } from '../journal.ts'
import { type EventCursors, type TokenNames, toEventJson } from './event-text.ts'

const KINDS: Record<StreamEvent['type'], EventKind> = {
  token_launched: 'launch',
  trade: 'trade',
  rug_pull: 'rug',
  seal: 'seal',
  fair: 'fair',
  post: 'post',
  order: 'order',
}

/** The events that a listener wants to receive. */
export interface EventFilter {
  /**
   * Tokens whose events the listener receives. Null means all tokens, but not the lobbies of fairs. A lobby's id is the
   * negative id of its fair.
   */
  readonly tokens: readonly number[] | null
  /** Fairs whose events the listener receives. Null means all fairs that the stream contains. */
  readonly fairs: readonly number[] | null
  readonly kinds: ReadonlySet<EventKind>
  /** Player whose orders the listener receives. The player is undefined if the listener receives no orders. */
  readonly player?: number | undefined
  /** Player who reads the posts. If null or absent, the reader is a guest, who sees everyone's posts. */
  readonly viewer?: PostViewer | null
}

/** The filter of listeners that did not choose one. */
export const DEFAULT_FILTER: EventFilter = { tokens: null, fairs: null, kinds: new Set(DEFAULT_KINDS) }

function toEventKind({ type }: StreamEvent): EventKind {
  return KINDS[type]
}

/**
 * Returns an event's token id. Returns 0 for an event of a whole fair, and the negative fair id for a post in a lobby.
 */
export function tokenOf(event: StreamEvent): number {
  return event.type === 'fair' ? 0 : event.tokenId
}

/** Returns the fair of a token, or undefined if the cache does not contain it yet. */
interface FairReader {
  getFair(tokenId: number): number | undefined
}

export function isWanted(event: StreamEvent, filter: EventFilter, known: FairReader): boolean {
  const isNamed = filter.tokens?.includes(tokenOf(event)) ?? tokenOf(event) >= 0
  return isNamed && !isBlocked(event, filter.viewer) && matches(event, filter, known)
}

/** Returns whether a filter matches an event of its tokens. The function ignores which players the viewer blocked. */
export function matches(event: StreamEvent, { kinds, player, fairs }: EventFilter, known: FairReader): boolean {
  if (!kinds.has(toEventKind(event)) || (event.type === 'order' && event.userId !== player)) return false
  return fairs === null || fairs.includes(event.type === 'fair' ? event.fairId : (known.getFair(event.tokenId) ?? 0))
}

/** Returns the same text for filters that match the same events. The text does not depend on the viewers' blocks. */
export function toFilterKey({ tokens, fairs, kinds, player = 0 }: EventFilter): string {
  return `${toKey(tokens)} ${toKey(fairs)} ${player} ${EVENT_KINDS.filter((kind) => kinds.has(kind)).join(',')}`
}

function toKey(ids: readonly number[] | null): string {
  return ids === null ? '*' : [...ids].sort((a, b) => a - b).join(',')
}

/** An event, or a control message for listeners that resume. */
interface EventMessage {
  readonly kind: EventKind | 'gap' | 'live'
  readonly json: string
  /** The cursor at which a listener can resume after this message. */
  readonly cursor: string
  /** The event is null for control messages. */
  readonly event: StreamEvent | null
}

/** How a transport formats events. */
export interface EventFormat {
  /** Formats that write the same bytes have the same name. */
  readonly name: string
  /** Whether events contain the names of their tokens. */
  readonly isNamed: boolean
  toText(message: EventMessage): string
  /** Joins the texts of events into one message. */
  toBytes(texts: readonly string[]): Buffer
}

/** A listener on one connection. The listener's functions do not wait or throw. */
export interface Subscriber {
  readonly format: EventFormat
  receive(bytes: Buffer): void
  /** Called when an operator hides a token that the listener named. */
  hide?(): void
  /** Makes the listener reconnect. `too_slow` means that it did not read fast enough. */
  close(reason?: 'too_slow'): void
}

/**
 * Listeners that get the same bytes, because they have the same filter and format. Only posts differ between them,
 * because a viewer must not see some posts.
 */
interface Channel {
  readonly key: string
  readonly filter: EventFilter
  readonly format: EventFormat
  readonly subscribers: Map<Subscriber, PostViewer | null>
}

/** Events to write to a channel's subscribers. */
interface PendingWrite {
  readonly format: EventFormat
  readonly list: readonly PlacedEvent[]
  readonly to: readonly (readonly [Subscriber, PostViewer | null])[]
}

/** All events up to the journal position `through`, in order. */
export interface EventGroup {
  readonly events: readonly PlacedEvent[]
  readonly through: number
}

/** Returns, for each event, the position from which a listener can resume without missing an event. */
export function toResumePositions({ events, through }: EventGroup): ReadonlyMap<PlacedEvent, number> {
  const positions = new Map<PlacedEvent, number>()
  let position = through
  for (const placed of events.toReversed()) {
    positions.set(placed, position)
    position = Math.min(position, placed.place - 1)
  }
  return positions
}

/**
 * Min number of events in a group for which the written bytes are cached. Listeners that resume from the journal at
 * about the same time share the bytes of such groups.
 */
const PAST_EVENTS_MIN = 100
const PAST_BYTES_MAX = 8 * 1_048_576

/** Returns whether the events can only be sent with the names or fairs of their tokens. */
export function needsNames({ fairs }: EventFilter, { isNamed }: EventFormat): boolean {
  return isNamed || fairs !== null
}

/** Groups subscribers by filter and format, so that each event is serialized once per group. */
export class Channels {
  readonly #names: TokenNames
  readonly #cursors: Pick<EventCursors, 'format'>
  readonly #channels = new Map<string, Channel>()
  readonly #market = new Set<Channel>()
  readonly #byToken = new Map<number, Set<Channel>>()
  readonly #past = new LRUCache<string, { readonly events: readonly PlacedEvent[]; readonly bytes: Buffer }>({
    maxSize: PAST_BYTES_MAX,
    sizeCalculation: ({ bytes }) => 1 + bytes.length,
  })
  #size = 0
  #named = 0

  constructor(names: TokenNames, cursors: Pick<EventCursors, 'format'>) {
    this.#names = names
    this.#cursors = cursors
  }

  get size(): number {
    return this.#size
  }

  /** Whether any subscriber needs the names or fairs of tokens. */
  get needsNames(): boolean {
    return this.#named > 0
  }

  /** Players who receive posts, with one entry per connection. */
  get viewers(): PostViewer[] {
    return [...this.#channels.values()].flatMap(({ subscribers }) =>
      [...subscribers.values()].flatMap((viewer) => viewer ?? []),
    )
  }

  add(filter: EventFilter, subscriber: Subscriber): () => void {
    const { format } = subscriber
    const key = `${toFilterKey(filter)} ${format.name}`
    const channel = this.#channels.get(key) ?? this.#open({ key, filter, format, subscribers: new Map() })
    channel.subscribers.set(subscriber, filter.viewer ?? null)
    this.#size++
    const isNamed = needsNames(filter, format)
    if (isNamed) this.#named++
    return () => {
      if (!channel.subscribers.delete(subscriber)) return
      this.#size--
      if (isNamed) this.#named--
      if (channel.subscribers.size === 0) this.#remove(channel)
    }
  }

  /**
   * Sends events to the current subscribers that want them. The iterator writes to one subscriber per step, and has
   * `count` steps.
   */
  send(group: EventGroup): { readonly writes: Iterator<void>; readonly count: number } {
    const wanted = new Map<Channel, PlacedEvent[]>()
    for (const placed of group.events) {
      const { event } = placed
      for (const channels of [this.#market, this.#byToken.get(tokenOf(event)) ?? []]) {
        // Send a lobby's posts only to subscribers that named the lobby.
        if (tokenOf(event) < 0 && channels === this.#market) continue
        for (const channel of channels) {
          if (!matches(event, channel.filter, this.#names)) continue
          const list = wanted.get(channel)
          if (list === undefined) wanted.set(channel, [placed])
          else list.push(placed)
        }
      }
    }
    const pending = [...wanted].map(([{ format, subscribers }, list]) => ({ format, list, to: [...subscribers] }))
    const writes = this.#write(pending, toResumePositions(group))
    return { writes, count: pending.reduce((sum, { to }) => sum + to.length, 0) }
  }

  *#write(pending: readonly PendingWrite[], positions: ReadonlyMap<PlacedEvent, number>): Generator<void, void> {
    const texts = new Map<string, Map<PlacedEvent, string>>()
    for (const { format, list, to } of pending) {
      const known = texts.get(format.name) ?? new Map<PlacedEvent, string>()
      texts.set(format.name, known)
      for (const placed of list) if (!known.has(placed)) known.set(placed, this.#toText(format, placed, positions))
      const toBytes = (events: readonly PlacedEvent[]) => format.toBytes(events.map((event) => known.get(event) ?? ''))
      const bytes = toBytes(list)
      for (const [subscriber, viewer] of to) {
        const seen = viewer?.blocked.size ? list.filter(({ event }) => !isBlocked(event, viewer)) : list
        if (seen.length > 0) subscriber.receive(seen.length === list.length ? bytes : toBytes(seen))
        yield
      }
    }
  }

  /** Sends a group of events to one subscriber. */
  sendTo(subscriber: Subscriber, { events, through }: EventGroup): void {
    const [first] = events
    if (first === undefined) return
    const { format } = subscriber
    const key = `${first.place} ${events.length} ${through} ${format.name}`
    const known = this.#past.get(key)
    const isKnown = known?.events.every((event, i) => event === events[i]) === true
    const bytes = isKnown ? known.bytes : this.#toBytes(format, { events, through })
    if (events.length >= PAST_EVENTS_MIN) this.#past.set(key, { events, bytes })
    subscriber.receive(bytes)
  }

  /** Notifies the subscribers that named a token that it is now hidden. */
  hide(tokenId: number): void {
    for (const { subscribers } of [...(this.#byToken.get(tokenId) ?? [])]) {
      for (const subscriber of [...subscribers.keys()]) subscriber.hide?.()
    }
  }

  closeAll(reason?: 'too_slow'): void {
    for (const { subscribers } of [...this.#channels.values()]) {
      for (const subscriber of [...subscribers.keys()]) subscriber.close(reason)
    }
  }

  #toBytes(format: EventFormat, group: EventGroup): Buffer {
    const positions = toResumePositions(group)
    return format.toBytes(group.events.map((placed) => this.#toText(format, placed, positions)))
  }

  #toText(format: EventFormat, placed: PlacedEvent, positions: ReadonlyMap<PlacedEvent, number>): string {
    const { event, place } = placed
    const json = format.isNamed ? this.#names.toJson(event) : toEventJson(event)
    const cursors = this.#cursors
    return format.toText({
      kind: toEventKind(event),
      json,
      event,
      get cursor() {
        return cursors.format(positions.get(placed) ?? place)
      },
    })
  }

  #open(channel: Channel): Channel {
    this.#channels.set(channel.key, channel)
    if (channel.filter.tokens === null) this.#market.add(channel)
    for (const tokenId of channel.filter.tokens ?? []) {
      this.#byToken.set(tokenId, (this.#byToken.get(tokenId) ?? new Set()).add(channel))
    }
    return channel
  }

  #remove(channel: Channel): void {
    this.#channels.delete(channel.key)
    this.#market.delete(channel)
    for (const tokenId of channel.filter.tokens ?? []) {
      const channels = this.#byToken.get(tokenId)
      channels?.delete(channel)
      if (channels?.size === 0) this.#byToken.delete(tokenId)
    }
  }
}
