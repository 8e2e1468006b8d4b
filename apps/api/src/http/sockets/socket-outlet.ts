import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Timers } from '@papermoon/engine'
import { transformTRPCResponse } from '@trpc/server'
import type { TRPCResultMessage } from '@trpc/server/rpc'
import type { FastifyRequest } from 'fastify'
import * as ws from 'ws'
import { WebSocket } from 'ws'
import type { EventFormat } from '../../events/stream/channels.ts'
import type { EventIds, Outlet } from '../../events/stream/live-subscription.ts'
import { trpcConfig } from '../../trpc.ts'

/** WebSocket close code of RFC 6455. The code tells the client to reconnect. */
const TRY_AGAIN = 1013

/** How long a client may take to read a page of the journal, in ms. */
const DRAIN_MAX_MS = 30_000

/**
 * Max number of unread bytes before a socket is closed. A message above this size is sent only if nothing else is
 * unread.
 */
const UNREAD_BYTES_MAX = 1_048_576

/** A WebSocket that is terminated when too many bytes are unread. */
export class BoundedSocket extends WebSocket {
  /**
   * The stream to which frames are written directly. Writing directly is safe, because ws queues only compressed
   * frames, and compression is off.
   */
  stream: Socket | null = null

  /** Ignore a message without content. */
  override send(...parts: unknown[]): void {
    const text = String(parts[0])
    if (text === '' || this.readyState !== WebSocket.OPEN) return
    if (this.#hasRoom(Buffer.byteLength(text))) Reflect.apply(super.send, this, parts)
  }

  /** Sends whole frames that several sockets share. */
  sendFrames(bytes: Buffer): void {
    if (this.readyState === WebSocket.OPEN && this.#hasRoom(bytes.length)) this.stream?.write(bytes)
  }

  /**
   * Returns whether a message fits into the buffer of unread bytes. If the message does not fit, terminates the socket.
   */
  #hasRoom(bytes: number): boolean {
    const unread = this.bufferedAmount
    const hasRoom = unread === 0 || unread + bytes <= UNREAD_BYTES_MAX
    if (!hasRoom) this.terminate()
    return hasRoom
  }
}

interface OutletParts {
  readonly timers: Timers
  readonly socket: WebSocket
  readonly request: FastifyRequest
  readonly format: EventFormat
  readonly signal: AbortSignal
  /** Called when an operator hides the token of a subscription. */
  readonly hide?: () => void
}

/** A receiver of events: a WebSocket, or one of its subscriptions. */
export class SocketOutlet implements Outlet {
  readonly #parts: OutletParts

  constructor(parts: OutletParts) {
    this.#parts = parts
  }

  get format(): EventFormat {
    return this.#parts.format
  }

  get ip(): string {
    return this.#parts.request.ip
  }

  get signal(): AbortSignal {
    return this.#parts.signal
  }

  get isStrict(): boolean {
    return this.#parts.hide !== undefined
  }

  receive(bytes: Buffer): void {
    const { socket, signal } = this.#parts
    if (!signal.aborted && socket instanceof BoundedSocket) socket.sendFrames(bytes)
  }

  drained(): Promise<void> {
    const { timers, request, signal } = this.#parts
    return drain(timers, request.raw.socket, signal)
  }

  /** This function does nothing, because messages contain cursors, and a client without messages has missed none. */
  moveTo(): void {}

  goLive(end: () => void): void {
    this.signal.addEventListener('abort', end)
    if (this.signal.aborted) end()
  }

  hide(): void {
    this.#parts.hide?.()
  }

  close(reason?: 'too_slow'): void {
    this.#parts.socket.close(TRY_AGAIN, reason ?? 'please connect again')
  }
}

/**
 * The promise resolves when all data written to a socket has left this process. A socket that takes longer than 30
 * seconds is destroyed.
 */
export async function drain(timers: Timers, socket: Socket, signal: AbortSignal): Promise<void> {
  if (signal.aborted || socket.writableLength === 0) return
  const cancelCut = timers.after(DRAIN_MAX_MS, () => socket.destroy())
  // Wait for an empty write, because a socket below its high-water mark emits no `drain` event.
  if (socket.writableNeedDrain) await once(socket, 'drain', { signal }).catch(() => {})
  else await new Promise<void>((resolve) => socket.write('', () => resolve()))
  cancelCut()
}

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

/** The format of `/ws`: JSON messages in WebSocket frames. */
export const WEBSOCKET: EventFormat = {
  name: 'ws',
  isNamed: true,
  toText: ({ json, cursor }) => (cursor === '' ? json : `${json.slice(0, -1)},"cursor":"${cursor}"}`),
  toBytes: toTextFrames,
}

/** Placeholders for an event and its id in a tRPC envelope. */
const [EVENT, ID] = [randomUUID(), randomUUID()]

/**
 * Returns the format of a subscription's messages in tRPC's WebSocket protocol. Subscribers whose subscriptions have
 * the same id share the same messages.
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
