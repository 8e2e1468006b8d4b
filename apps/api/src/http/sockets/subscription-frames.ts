import { LRUCache } from 'lru-cache'
import { toEventJson } from '../../events/event-json.ts'
import { TrackedEvents } from '../../events/tracked-events.ts'
import { TextFrames } from './text-frames.ts'

/** Of what just happened: thousands of subscribers are sent the same frames, one right after another. */
const LIVE_BYTES_MAX = 1_048_576
/** All that a subscriber of one token is sent when it resumes. */
const PAST_BYTES_MAX = 8 * 1_048_576
/** So many events at once are a page of the past. */
const PAST_EVENTS_MIN = 100

interface Made {
  readonly items: TrackedEvents['items']
  readonly frames: TextFrames
}

/** What subscribers are sent of events, which are let go of then, in tRPC's WebSocket protocol, made once for all of them who chose the same id. */
export class SubscriptionFrames {
  readonly #live = createCache(LIVE_BYTES_MAX)
  readonly #past = createCache(PAST_BYTES_MAX)

  /** The frames of a message whose data are events; null for any other message. */
  of(message: unknown): TextFrames | null {
    const { id, jsonrpc, result } = Object(message)
    const data: unknown = result?.data
    if (!(data instanceof TrackedEvents)) return null
    const head = JSON.stringify({ id, jsonrpc }).slice(0, -1)
    const [first] = data.items
    const key = `${head} ${first?.event.tokenId} ${first?.id} ${data.items.length}`
    const made = data.items.length < PAST_EVENTS_MIN ? this.#live : this.#past
    const known = made.get(key)
    const frames = known && isSame(known.items, data.items) ? known.frames : frame(head, data)
    if (frames !== known?.frames) made.set(key, { items: data.items, frames })
    data.release()
    return frames
  }
}

function createCache(maxSize: number): LRUCache<string, Made> {
  return new LRUCache({ maxSize, sizeCalculation: ({ frames }) => 1 + frames.bytes.length })
}

function frame(head: string, { items }: TrackedEvents): TextFrames {
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
