import { eventText } from '../../events/event-text.ts'
import { TrackedEvents } from '../../events/tracked-events.ts'
import { FramedTexts } from './text-frames.ts'

/** Of the frames kept: thousands of subscribers ask for the same ones right after another. */
const KEPT_BYTES_MAX = 1_048_576
/** Most sets of frames kept: each message is compared with all of them. */
const KEPT_MAX = 8

interface Made {
  readonly head: string
  readonly items: TrackedEvents['items']
  readonly frames: FramedTexts
}

/** What subscribers are sent of events, which are let go of then, in tRPC's WebSocket protocol, made once for all of them who chose the same id. */
export class SubscriptionFrames {
  readonly #made: Made[] = []
  #bytes = 0

  /** The frames of a message whose data are events; null for any other message. */
  of(message: unknown): FramedTexts | null {
    const { id, jsonrpc, result } = Object(message)
    const data: unknown = result?.data
    if (!(data instanceof TrackedEvents)) return null
    const head = JSON.stringify({ id, jsonrpc }).slice(0, -1)
    const known = this.#made.find((made) => made.head === head && isSame(made.items, data.items))
    const frames = known?.frames ?? this.#make(head, data)
    data.release()
    return frames
  }

  #make(head: string, { items }: TrackedEvents): FramedTexts {
    const frames = new FramedTexts(
      items.map(({ id, event }) => {
        const named = JSON.stringify(id)
        const data = `{"json":{"id":${named},"data":${eventText(event)}}}`
        return `${head},"result":{"type":"data","data":${data},"id":${named}}}`
      }),
    )
    this.#keep({ head, items, frames })
    return frames
  }

  #keep(made: Made): void {
    this.#made.push(made)
    this.#bytes += made.frames.bytes.length
    while (this.#made.length > KEPT_MAX || this.#bytes > KEPT_BYTES_MAX) {
      this.#bytes -= this.#made.shift()?.frames.bytes.length ?? 0
    }
  }
}

function isSame(some: TrackedEvents['items'], others: TrackedEvents['items']): boolean {
  return (
    some.length === others.length &&
    some.every(({ id, event }, i) => event === others[i]?.event && id === others[i]?.id)
  )
}
