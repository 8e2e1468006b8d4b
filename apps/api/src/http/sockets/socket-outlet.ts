import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Timers } from '@papermoon/engine'
import type { FastifyRequest } from 'fastify'
import { WebSocket } from 'ws'
import type { EventFormat } from '../../events/stream/channels.ts'
import type { Outlet } from '../../events/stream/live-subscription.ts'

/** WebSocket close code of RFC 6455. It tells the client to reconnect. */
const TRY_AGAIN = 1013

/** How long a client may take to read a page of the journal, in ms. */
const DRAIN_MAX_MS = 30_000

/** Max number of unread bytes before a socket is closed. A longer message is sent only if nothing else is unread. */
const UNREAD_BYTES_MAX = 1_048_576

/** A WebSocket that is terminated when too many bytes are unread. */
export class BoundedSocket extends WebSocket {
  /**
   * The stream to which prepared frames are written directly. This is safe, because ws queues only compressed frames,
   * and compression is off.
   */
  stream: Socket | null = null

  /** Ignore an empty message. */
  override send(...parts: unknown[]): void {
    const text = String(parts[0])
    if (text === '' || this.readyState !== WebSocket.OPEN) return
    if (this.#hasRoom(Buffer.byteLength(text))) Reflect.apply(super.send, this, parts)
  }

  /** Sends whole frames that several sockets share. */
  sendFrames(bytes: Buffer): void {
    if (this.readyState === WebSocket.OPEN && this.#hasRoom(bytes.length)) this.stream?.write(bytes)
  }

  /** Returns whether a message fits. If not, terminates the socket. */
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
  /** Called when the token of a subscription is hidden. */
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

  /** Does nothing, because messages contain cursors, and a client without messages has missed none. */
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
 * Resolves when all data written to a socket has left this process. Destroys a socket that takes longer than 30
 * seconds.
 */
export async function drain(timers: Timers, socket: Socket, signal: AbortSignal): Promise<void> {
  if (signal.aborted || socket.writableLength === 0) return
  const cancelCut = timers.after(DRAIN_MAX_MS, () => socket.destroy())
  // Wait for an empty write, because a socket below its high-water mark emits no `drain` event.
  if (socket.writableNeedDrain) await once(socket, 'drain', { signal }).catch(() => {})
  else await new Promise<void>((resolve) => socket.write('', () => resolve()))
  cancelCut()
}
