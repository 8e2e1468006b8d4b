import type { EventFormat } from '../../events/stream/channels.ts'
import { TextFrames } from './text-frames.ts'

/** Server-Sent Events (WHATWG HTML, 9.2) as the body of an answer without a length. */
const PLAIN_SSE: EventFormat = {
  name: 'sse',
  toText: ({ kind, json, cursor }) => `id: ${cursor}\nevent: ${kind}\ndata: ${json}\n\n`,
  toBytes: (texts) => Buffer.from(texts.join('')),
}

/** The same as one chunk of a chunked answer (RFC 9112, 7.1), ready to be written to any number of connections. */
const CHUNKED_SSE: EventFormat = { ...PLAIN_SSE, name: 'sse-chunked', toBytes: (texts) => toChunk(texts.join('')) }

/** JSON messages of `/ws`, as WebSocket frames. */
export const WEBSOCKET: EventFormat = {
  name: 'ws',
  toText: ({ json, cursor }) => (cursor === '' ? json : `${json.slice(0, -1)},"cursor":"${cursor}"}`),
  toBytes: (texts) => new TextFrames(texts).bytes,
}

export function chooseSse({ isChunked }: { readonly isChunked: boolean }): EventFormat {
  return isChunked ? CHUNKED_SSE : PLAIN_SSE
}

function toChunk(text: string): Buffer {
  const body = Buffer.from(text)
  return Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')])
}
