import type { Socket } from 'node:net'
import { WebSocket } from 'ws'

/** Max number of unread bytes before a socket is closed. A single longer message passes if nothing else is unread. */
const UNREAD_BYTES_MAX = 1_048_576

/** A WebSocket that is terminated instead of buffering without limit. */
export class BoundedSocket extends WebSocket {
  /**
   * The stream that gets prepared frames directly. This is safe, because ws only queues compressed frames, and
   * compression is off.
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

  /** Returns whether a message fits, and terminates the socket if it does not. */
  #hasRoom(bytes: number): boolean {
    const unread = this.bufferedAmount
    const hasRoom = unread === 0 || unread + bytes <= UNREAD_BYTES_MAX
    if (!hasRoom) this.terminate()
    return hasRoom
  }
}
