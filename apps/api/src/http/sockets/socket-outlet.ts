import type { Timers } from '@papermoon/engine'
import type { FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import type { EventFormat } from '../../events/stream/channels.ts'
import type { Outlet } from '../../events/stream/outlet.ts'
import { BoundedSocket } from './bounded-socket.ts'
import { drain } from './drain.ts'

/** WebSocket close code of RFC 6455: the client should reconnect. */
const TRY_AGAIN = 1013

interface OutletParts {
  readonly timers: Timers
  readonly socket: WebSocket
  readonly request: FastifyRequest
  readonly format: EventFormat
  readonly signal: AbortSignal
  /** Called when a subscription's token is hidden. */
  readonly hide?: () => void
}

/** A WebSocket, or one of its subscriptions, that receives events. */
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

  /** Does nothing, because the messages' cursors are enough: a client that got no message has missed none. */
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
