import type { MarketEvent } from '@papermoon/engine'
import { type EventFilter, type EventKind, toEventKind, toFilterKey } from './event-filter.ts'

/** How a transport writes events. */
export interface EventFormat {
  readonly name: string
  /** One event as it goes over the connection; `cursor` is the place to resume at after it, empty where none is known. */
  toText(event: { readonly kind: EventKind | 'gap' | 'live'; readonly json: string; readonly cursor: string }): string
  /** The bytes of some events. */
  toBytes(texts: readonly string[]): Buffer
}

/** A listener. Neither function waits or throws. */
export interface Subscriber {
  readonly format: EventFormat
  receive(bytes: Buffer): void
  /** The listener has to connect again. */
  close(): void
}

/** Listeners that get the same bytes. */
interface Channel {
  readonly key: string
  readonly filter: EventFilter
  readonly format: EventFormat
  readonly subscribers: Set<Subscriber>
}

/** Events for some listeners; all have the same cursor, but `lastCursor` for the last one, if it differs. */
export interface EventGroup {
  readonly events: readonly MarketEvent[]
  readonly cursor: string
  readonly lastCursor?: string
}

/** Subscribers by what they want: events become bytes once for all that want the same. */
export class Channels {
  readonly #toJson: (event: MarketEvent) => string
  readonly #channels = new Map<string, Channel>()
  /** Channels of the whole market. */
  readonly #market = new Set<Channel>()
  readonly #byToken = new Map<number, Set<Channel>>()
  #size = 0

  constructor(toJson: (event: MarketEvent) => string) {
    this.#toJson = toJson
  }

  get size(): number {
    return this.#size
  }

  add(filter: EventFilter, subscriber: Subscriber): () => void {
    const key = `${subscriber.format.name} ${toFilterKey(filter)}`
    const channel =
      this.#channels.get(key) ?? this.#open({ key, filter, format: subscriber.format, subscribers: new Set() })
    channel.subscribers.add(subscriber)
    this.#size++
    return () => {
      if (!channel.subscribers.delete(subscriber)) return
      this.#size--
      if (channel.subscribers.size === 0) this.#remove(channel)
    }
  }

  send(events: readonly MarketEvent[], cursor: string): void {
    const wanted = new Map<Channel, MarketEvent[]>()
    for (const event of events) {
      for (const channels of [this.#market, this.#byToken.get(event.tokenId) ?? []]) {
        for (const channel of channels) {
          if (!channel.filter.kinds.has(toEventKind(event))) continue
          const list = wanted.get(channel)
          if (list === undefined) wanted.set(channel, [event])
          else list.push(event)
        }
      }
    }
    const texts = new Map<EventFormat, Map<MarketEvent, string>>()
    for (const [{ format, subscribers }, list] of wanted) {
      const known = texts.get(format) ?? new Map<MarketEvent, string>()
      texts.set(format, known)
      const bytes = format.toBytes(
        list.map((event) => {
          const text = known.get(event) ?? this.#toText(format, event, cursor)
          known.set(event, text)
          return text
        }),
      )
      for (const subscriber of subscribers) subscriber.receive(bytes)
    }
  }

  /** Sends the events of a group that pass the filter to one subscriber. */
  sendTo(subscriber: Subscriber, filter: EventFilter, { events, cursor, lastCursor = cursor }: EventGroup): void {
    const wanted = events.filter(
      (event) => filter.kinds.has(toEventKind(event)) && (filter.tokens?.includes(event.tokenId) ?? true),
    )
    if (wanted.length === 0) return
    const texts = wanted.map((event, i) =>
      this.#toText(subscriber.format, event, i === wanted.length - 1 ? lastCursor : cursor),
    )
    subscriber.receive(subscriber.format.toBytes(texts))
  }

  closeAll(): void {
    for (const { subscribers } of [...this.#channels.values()]) {
      for (const subscriber of [...subscribers]) subscriber.close()
    }
  }

  #toText(format: EventFormat, event: MarketEvent, cursor: string): string {
    return format.toText({ kind: toEventKind(event), json: this.#toJson(event), cursor })
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
