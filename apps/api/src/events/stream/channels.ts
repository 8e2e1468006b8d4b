import type { EventKind } from '@papermoon/contract/live'
import { LRUCache } from 'lru-cache'
import { isBlocked, type PostViewer } from '../../talk/blocked-players.ts'
import { getTime, type StreamEvent } from '../journal.ts'
import { type EventFilter, isWanted, matches, toEventKind, toFilterKey, tokenOf } from './event-filter.ts'
import { type TokenNames, toEventJson } from './token-names.ts'

/** An event, or what is said to those who resume. */
export interface EventMessage {
  readonly kind: EventKind | 'gap' | 'live'
  readonly json: string
  /** The place to resume at after it, empty where none is known. */
  readonly cursor: string
  /** Null for what is no event. */
  readonly event: StreamEvent | null
}

/** How a transport writes events. */
export interface EventFormat {
  /** Formats with equal names write the same bytes. */
  readonly name: string
  /** Whether events have the names of their tokens. */
  readonly isNamed: boolean
  toText(message: EventMessage): string
  /** The bytes of some events. */
  toBytes(texts: readonly string[]): Buffer
}

/** A listener. No function waits or throws. */
export interface Subscriber {
  readonly format: EventFormat
  receive(bytes: Buffer): void
  /** An operator has hidden a token that the listener named. */
  hide?(): void
  /** The listener has to connect again. */
  close(): void
}

/** Listeners that get the same bytes, except for posts that a viewer must not see. */
interface Channel {
  readonly key: string
  readonly filter: EventFilter
  readonly format: EventFormat
  readonly subscribers: Map<Subscriber, PostViewer | null>
}

/** Events that the subscribers of a channel get. */
interface Letter {
  readonly format: EventFormat
  readonly list: readonly StreamEvent[]
  readonly to: readonly (readonly [Subscriber, PostViewer | null])[]
}

/** Events for some listeners; all have the same cursor, but `lastCursor` for the last one, if it differs. */
export interface EventGroup {
  readonly events: readonly StreamEvent[]
  readonly cursor: string
  readonly lastCursor?: string
}

/** A group with so many events comes from the journal: those who resume at about the same time share its bytes. */
const PAST_EVENTS_MIN = 100
const PAST_BYTES_MAX = 8 * 1_048_576

/** Whether what is known of tokens has to be read before their events are sent. */
export function needsNames({ fairs }: EventFilter, { isNamed }: EventFormat): boolean {
  return isNamed || fairs !== null
}

/** Subscribers by what they want: events become bytes once for all that want the same. */
export class Channels {
  readonly #names: TokenNames
  readonly #channels = new Map<string, Channel>()
  readonly #market = new Set<Channel>()
  readonly #byToken = new Map<number, Set<Channel>>()
  readonly #past = new LRUCache<string, { readonly events: readonly StreamEvent[]; readonly bytes: Buffer }>({
    maxSize: PAST_BYTES_MAX,
    sizeCalculation: ({ bytes }) => 1 + bytes.length,
  })
  #size = 0
  #named = 0

  constructor(names: TokenNames) {
    this.#names = names
  }

  get size(): number {
    return this.#size
  }

  /** Whether any subscriber gets the names of tokens, or needs to know their fairs. */
  get needsNames(): boolean {
    return this.#named > 0
  }

  /** The players who listen to posts, once for each connection. */
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

  /** Sends events to those of the subscribers of now that want them: `count` writes, one at each step of the iterator. */
  send(events: readonly StreamEvent[], cursor: string): { readonly writes: Iterator<void>; readonly count: number } {
    const wanted = new Map<Channel, StreamEvent[]>()
    for (const event of events) {
      for (const channels of [this.#market, this.#byToken.get(tokenOf(event)) ?? []]) {
        // A lobby's posts are for who named it.
        if (tokenOf(event) < 0 && channels === this.#market) continue
        for (const channel of channels) {
          if (!matches(event, channel.filter, this.#names)) continue
          const list = wanted.get(channel)
          if (list === undefined) wanted.set(channel, [event])
          else list.push(event)
        }
      }
    }
    const letters = [...wanted].map(([{ format, subscribers }, list]) => ({ format, list, to: [...subscribers] }))
    return { writes: this.#write(letters, cursor), count: letters.reduce((sum, { to }) => sum + to.length, 0) }
  }

  *#write(letters: readonly Letter[], cursor: string): Generator<void, void> {
    const texts = new Map<string, Map<StreamEvent, string>>()
    for (const { format, list, to } of letters) {
      const known = texts.get(format.name) ?? new Map<StreamEvent, string>()
      texts.set(format.name, known)
      for (const event of list) if (!known.has(event)) known.set(event, this.#toText(format, event, cursor))
      const toBytes = (events: readonly StreamEvent[]) => format.toBytes(events.map((event) => known.get(event) ?? ''))
      const bytes = toBytes(list)
      for (const [subscriber, viewer] of to) {
        const seen = viewer?.blocked.size ? list.filter((event) => !isBlocked(event, viewer)) : list
        if (seen.length > 0) subscriber.receive(seen.length === list.length ? bytes : toBytes(seen))
        yield
      }
    }
  }

  /** Sends the events of a group that pass the filter to one subscriber. */
  sendTo(subscriber: Subscriber, filter: EventFilter, { events, cursor, lastCursor = cursor }: EventGroup): void {
    const wanted = events.filter((event) => isWanted(event, filter, this.#names))
    const [first] = wanted
    if (first === undefined) return
    const { format } = subscriber
    const key = `${tokenOf(first)} ${getTime(first)} ${wanted.length} ${cursor} ${lastCursor} ${format.name}`
    const known = this.#past.get(key)
    const isKnown = known?.events.every((event, i) => event === wanted[i]) === true
    const bytes = isKnown ? known.bytes : this.#toBytes(format, wanted, { cursor, lastCursor })
    if (wanted.length >= PAST_EVENTS_MIN) this.#past.set(key, { events: wanted, bytes })
    subscriber.receive(bytes)
  }

  /** Tells subscribers that named a token that it is hidden now. */
  hide(tokenId: number): void {
    for (const { subscribers } of [...(this.#byToken.get(tokenId) ?? [])]) {
      for (const subscriber of [...subscribers.keys()]) subscriber.hide?.()
    }
  }

  closeAll(): void {
    for (const { subscribers } of [...this.#channels.values()]) {
      for (const subscriber of [...subscribers.keys()]) subscriber.close()
    }
  }

  #toBytes(
    format: EventFormat,
    events: readonly StreamEvent[],
    { cursor, lastCursor }: { readonly cursor: string; readonly lastCursor: string },
  ): Buffer {
    const last = events.length - 1
    return format.toBytes(events.map((event, i) => this.#toText(format, event, i === last ? lastCursor : cursor)))
  }

  #toText(format: EventFormat, event: StreamEvent, cursor: string): string {
    const json = format.isNamed ? this.#names.toJson(event) : toEventJson(event)
    return format.toText({ kind: toEventKind(event), json, cursor, event })
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
