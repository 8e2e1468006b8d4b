import { getTime } from '../../events/journal.ts'
import type { EventFormat } from '../../events/stream/channels.ts'
import type { EventIds } from '../../events/stream/live-subscription.ts'
import { toTextFrames } from './text-frames.ts'

/** Server-Sent Events (WHATWG HTML, 9.2) as the body of an answer without a length. */
const PLAIN_SSE: EventFormat = {
  name: 'sse',
  isNamed: true,
  toText: ({ kind, json, cursor }) => `id: ${cursor}\nevent: ${kind}\ndata: ${json}\n\n`,
  toBytes: (texts) => Buffer.from(texts.join('')),
}

/** The same as one chunk of a chunked answer (RFC 9112, 7.1), ready to be written to any number of connections. */
const CHUNKED_SSE: EventFormat = { ...PLAIN_SSE, name: 'sse-chunked', toBytes: (texts) => toChunk(texts.join('')) }

/** JSON messages of `/ws`, as WebSocket frames. */
export const WEBSOCKET: EventFormat = {
  name: 'ws',
  isNamed: true,
  toText: ({ json, cursor }) => (cursor === '' ? json : `${json.slice(0, -1)},"cursor":"${cursor}"}`),
  toBytes: toTextFrames,
}

/**
 * The messages of a subscription in tRPC's WebSocket protocol, as frames. `head` names it: its messages without their end, as
 * JSON. Subscribers that chose the same id share the bytes.
 */
export function toTrpcFormat(head: string, ids: EventIds): EventFormat {
  return {
    name: `trpc ${ids} ${head}`,
    isNamed: false,
    toText: ({ json, cursor, event }) => {
      // Before the first settled place there is no cursor: the time of the event.
      const id = JSON.stringify(event && (ids === 'seq' ? String(event.seq) : cursor || getTime(event)))
      return `${head},"result":{"type":"data","data":{"json":{"id":${id},"data":${json}}},"id":${id}}}`
    },
    toBytes: toTextFrames,
  }
}

export function chooseSse({ isChunked }: { readonly isChunked: boolean }): EventFormat {
  return isChunked ? CHUNKED_SSE : PLAIN_SSE
}

function toChunk(text: string): Buffer {
  const body = Buffer.from(text)
  return Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')])
}
