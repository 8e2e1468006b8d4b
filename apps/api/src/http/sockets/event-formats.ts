import { randomUUID } from 'node:crypto'
import { transformTRPCResponse } from '@trpc/server'
import type { TRPCResultMessage } from '@trpc/server/rpc'
import * as ws from 'ws'
import type { EventFormat } from '../../events/stream/channels.ts'
import type { EventIds } from '../../events/stream/live-subscription.ts'
import { trpcConfig } from '../../trpc.ts'

/** `Sender` is public in ws, but the types of ws do not include it. */
const { Sender } = ws as unknown as { Sender: { frame(payload: Buffer, options: object): Buffer[] } }
/** Options for a text in one WebSocket frame (RFC 6455, 5.2). */
const TEXT = { fin: true, opcode: 1 }

/** Server-Sent Events (WHATWG HTML, 9.2) in the body of a response without a length. */
const PLAIN_SSE: EventFormat = {
  name: 'sse',
  isNamed: true,
  toText: ({ kind, json, cursor }) => `id: ${cursor}\nevent: ${kind}\ndata: ${json}\n\n`,
  toBytes: (texts) => Buffer.from(texts.join('')),
}

/**
 * Server-Sent Events as one chunk of a chunked response (RFC 9112, 7.1). Any number of connections can send the same
 * chunk.
 */
const CHUNKED_SSE: EventFormat = { ...PLAIN_SSE, name: 'sse-chunked', toBytes: (texts) => toChunk(texts.join('')) }

/** JSON messages of `/ws` as WebSocket frames. */
export const WEBSOCKET: EventFormat = {
  name: 'ws',
  isNamed: true,
  toText: ({ json, cursor }) => (cursor === '' ? json : `${json.slice(0, -1)},"cursor":"${cursor}"}`),
  toBytes: toTextFrames,
}

/** Placeholders for an event and its id in a tRPC envelope. */
const [EVENT, ID] = [randomUUID(), randomUUID()]

/**
 * Returns the format of a subscription's messages in tRPC's WebSocket protocol. Subscribers that chose the same id
 * share the same messages.
 */
export function toTrpcFormat(call: Pick<TRPCResultMessage<unknown>, 'id' | 'jsonrpc'>, ids: EventIds): EventFormat {
  const result = { type: 'data' as const, id: ID, data: { id: ID, data: EVENT } }
  const envelope = JSON.stringify(transformTRPCResponse(trpcConfig, { ...call, result }))
  return {
    name: `trpc ${ids} ${JSON.stringify(call)}`,
    isNamed: false,
    toText: (message) => {
      const { json, event } = message
      const seq = ids === 'seq' && event !== null && 'seq' in event ? String(event.seq) : null
      const id = JSON.stringify(event && (seq ?? message.cursor))
      return envelope.replaceAll(`"${ID}"`, () => id).replace(`"${EVENT}"`, () => json)
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

/** Converts texts to WebSocket frames. Any number of sockets can send the same frames. */
export function toTextFrames(texts: readonly string[]): Buffer {
  return Buffer.concat(texts.flatMap((text) => Sender.frame(Buffer.from(text), TEXT)))
}
