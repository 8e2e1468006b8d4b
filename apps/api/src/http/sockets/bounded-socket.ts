import type { Socket } from 'node:net'
import { WebSocket } from 'ws'
import { TextFrames } from './text-frames.ts'

/** A socket with more unread is cut off. A single longer message passes if nothing else is unread. */
const UNREAD_BYTES_MAX = 1_048_576

/** A WebSocket that is terminated instead of buffering without bound. */
export class BoundedSocket extends WebSocket {
  /** Takes prepared frames directly. Safe because ws only queues compressed frames, and compression is off. */
  stream: Socket | null = null

  override send(...parts: unknown[]): void {
    if (this.readyState !== WebSocket.OPEN) return
    const [message] = parts
    const unread = this.bufferedAmount
    if (unread > 0 && unread + countBytes(message) > UNREAD_BYTES_MAX) this.terminate()
    else if (message instanceof TextFrames) this.stream?.write(message.bytes)
    else Reflect.apply(super.send, this, parts)
  }
}

/** Sends frames that several sockets share. `never`, as the types of ws know no such message. */
export function sendFrames(socket: WebSocket, frames: TextFrames): void {
  socket.send(frames as never)
}

/** The size of a message: text, or prepared frames. */
function countBytes(message: unknown): number {
  return message instanceof TextFrames ? message.bytes.length : Buffer.byteLength(String(message))
}
