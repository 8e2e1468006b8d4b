import type { Socket } from 'node:net'
import { WebSocket } from 'ws'

/** A socket with more unread is cut off. A single longer message passes if nothing else is unread. */
const UNREAD_BYTES_MAX = 1_048_576

/** A WebSocket that is terminated instead of buffering without bound. */
export class BoundedSocket extends WebSocket {
  /** Takes prepared frames directly. Safe because ws only queues compressed frames, and compression is off. */
  stream: Socket | null = null

  /** An empty message is none. */
  override send(...parts: unknown[]): void {
    const text = String(parts[0])
    if (text === '' || this.readyState !== WebSocket.OPEN) return
    if (this.#hasRoom(Buffer.byteLength(text))) Reflect.apply(super.send, this, parts)
  }

  /** Sends whole frames that several sockets share. */
  sendFrames(bytes: Buffer): void {
    if (this.readyState === WebSocket.OPEN && this.#hasRoom(bytes.length)) this.stream?.write(bytes)
  }

  /** Cuts the socket off where a message finds no room. */
  #hasRoom(bytes: number): boolean {
    const unread = this.bufferedAmount
    const hasRoom = unread === 0 || unread + bytes <= UNREAD_BYTES_MAX
    if (!hasRoom) this.terminate()
    return hasRoom
  }
}
