import { LRUCache } from 'lru-cache'
import { toEventJson } from '../../events/event-json.ts'
import { TrackedEvents } from '../../events/tracked-events.ts'
import { TextFrames } from './text-frames.ts'

/** For new events, which thousands of subscribers get one right after another. */
const LIVE_BYTES_MAX = 1_048_576
/** For past events, all of a token that a resuming subscriber gets. */
const PAST_BYTES_MAX = 8 * 1_048_576
/** A message with so many events comes from the journal, not from a batch. */
const PAST_EVENTS_MIN = 100

interface Entry {
  readonly items: TrackedEvents['items']
  readonly frames: TextFrames
}

/**
 * Encodes events for subscribers in tRPC's WebSocket protocol. Subscribers that chose the same subscription id share the
 * frames, as thousands of them get the same events in turn.
 */
export class SubscriptionFrames {
  readonly #live = createCache(LIVE_BYTES_MAX)
  readonly #past = createCache(PAST_BYTES_MAX)

  /** The frames of a message with events, which are released; null for any other message. */
  encode(message: unknown): TextFrames | null {
    const { id, jsonrpc, result } = Object(message)
    const data: unknown = result?.data
    if (!(data instanceof TrackedEvents)) return null
    const head = JSON.stringify({ id, jsonrpc }).slice(0, -1)
    const [first] = data.items
    const key = `${head} ${first?.event.tokenId} ${first?.id} ${data.items.length}`
    const cache = data.items.length < PAST_EVENTS_MIN ? this.#live : this.#past
    const known = cache.get(key)
    const frames = known && isSame(known.items, data.items) ? known.frames : encodeEvents(head, data)
    if (frames !== known?.frames) cache.set(key, { items: data.items, frames })
    data.release()
    return frames
  }
}

function createCache(maxSize: number): LRUCache<string, Entry> {
  return new LRUCache({ maxSize, sizeCalculation: ({ frames }) => 1 + frames.bytes.length })
}

function encodeEvents(head: string, { items }: TrackedEvents): TextFrames {
  return new TextFrames(
    items.map(({ id, event }) => {
      const named = JSON.stringify(id)
      const data = `{"json":{"id":${named},"data":${toEventJson(event)}}}`
      return `${head},"result":{"type":"data","data":${data},"id":${named}}}`
    }),
  )
}

function isSame(some: TrackedEvents['items'], others: TrackedEvents['items']): boolean {
  return (
    some.length === others.length &&
    some.every(({ id, event }, i) => event === others[i]?.event && id === others[i]?.id)
  )
}
