import { LRUCache } from 'lru-cache'
import { toEventJson } from '../../events/event-json.ts'
import type { TrackedEvent } from '../../events/tracked-events.ts'
import { TextFrames } from './text-frames.ts'

/** For new events, which thousands of subscribers get one right after another. */
const LIVE_BYTES_MAX = 1_048_576
/** For past events, all of a token that a resuming subscriber gets. */
const PAST_BYTES_MAX = 8 * 1_048_576
/** A message with so many events comes from the journal, not from a batch. */
const PAST_EVENTS_MIN = 100

interface Entry {
  readonly items: readonly TrackedEvent[]
  readonly frames: TextFrames
}

/**
 * Encodes events for subscribers in tRPC's WebSocket protocol. Subscribers that chose the same subscription id share the
 * frames, as thousands of them get the same events in turn.
 */
export class SubscriptionFrames {
  readonly #live = createCache(LIVE_BYTES_MAX)
  readonly #past = createCache(PAST_BYTES_MAX)

  /** The frames of events for the subscription that `head` names: its messages without their end, as JSON. */
  encode(head: string, items: readonly TrackedEvent[]): TextFrames {
    const [first] = items
    const key = `${head} ${first?.event.tokenId} ${first?.id} ${items.length}`
    const cache = items.length < PAST_EVENTS_MIN ? this.#live : this.#past
    const known = cache.get(key)
    if (known && isSame(known.items, items)) return known.frames
    const frames = encodeEvents(head, items)
    cache.set(key, { items, frames })
    return frames
  }
}

function createCache(maxSize: number): LRUCache<string, Entry> {
  return new LRUCache({ maxSize, sizeCalculation: ({ frames }) => 1 + frames.bytes.length })
}

function encodeEvents(head: string, items: readonly TrackedEvent[]): TextFrames {
  return new TextFrames(
    items.map(({ id, event }) => {
      const named = JSON.stringify(id)
      const data = `{"json":{"id":${named},"data":${toEventJson(event)}}}`
      return `${head},"result":{"type":"data","data":${data},"id":${named}}}`
    }),
  )
}

function isSame(some: readonly TrackedEvent[], others: readonly TrackedEvent[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ id, event }, i) => event === others[i]?.event && id === others[i]?.id)
  )
}
