import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../context.ts'
import type { EventFormat } from '../../events/stream/channels.ts'
import type { Outlet } from '../../events/stream/outlet.ts'
import { drain } from './drain.ts'
import { chooseSse } from './event-formats.ts'

/** A listener with more unread is cut off. */
const UNREAD_BYTES_MAX = 1_048_576
/** Listeners of a server that stops come back spread over some time. */
const RETRY_MS = 1_000
const RETRY_SPREAD_MS = 2_000

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // Else nginx holds events back until its buffer is full.
  'x-accel-buffering': 'no',
}

/** One open answer of `/api/events`. Events are written to its socket as chunks that all listeners share. */
export class EventConnection implements Outlet {
  readonly format: EventFormat
  readonly ip: string
  readonly isStrict = false
  readonly #app: App
  readonly #response: FastifyReply['raw']
  readonly #socket: FastifyRequest['raw']['socket']
  readonly #ended = new AbortController()
  #endSubscription: (() => void) | null = null

  /** Takes the answer over from Fastify and sends its head. */
  constructor(app: App, { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply }) {
    this.#app = app
    this.ip = request.ip
    this.#socket = request.raw.socket
    this.#response = reply.hijack().raw
    this.#response.once('close', () => this.#end())
    this.#response.writeHead(200, { ...toHeaders(reply), ...HEADERS }).flushHeaders()
    this.format = chooseSse({ isChunked: this.#response.chunkedEncoding })
    this.#write(`retry: ${RETRY_MS + Math.floor(Math.random() * RETRY_SPREAD_MS)}\n\n`)
  }

  get signal(): AbortSignal {
    return this.#ended.signal
  }

  receive(bytes: Buffer): void {
    if (this.signal.aborted) return
    const unread = this.#socket.writableLength
    if (unread > 0 && unread + bytes.length > UNREAD_BYTES_MAX) {
      this.#app.live.streamMetrics.cutOff.inc()
      this.#socket.destroy()
    } else this.#socket.write(bytes)
  }

  drained(): Promise<void> {
    return drain(this.#socket, this.signal)
  }

  /** An id without data is no event, and yet where a browser resumes. */
  moveTo(cursor: string): void {
    this.#write(`id: ${cursor}\n\n`)
  }

  goLive(end: () => void): void {
    this.#endSubscription = end
    if (this.signal.aborted) end()
    else this.moveTo(this.#app.live.stream.cursor)
  }

  /** A comment, by which both sides notice a broken connection; and where to resume, if nothing else was to be sent. */
  beat(): void {
    this.#write(': heartbeat\n')
    if (this.#endSubscription !== null) this.moveTo(this.#app.live.stream.cursor)
  }

  /** Ends the answer: the client connects again and resumes. */
  close(): void {
    if (this.signal.aborted) return
    this.#end()
    this.#response.end()
  }

  #write(text: string): void {
    this.receive(this.format.toBytes([text]))
  }

  #end(): void {
    this.#ended.abort()
    this.#endSubscription?.()
  }
}

function toHeaders(reply: FastifyReply): Record<string, string> {
  const headers = Object.entries(reply.getHeaders())
  return Object.fromEntries(headers.map(([name, value]) => [name, String(value)]))
}
