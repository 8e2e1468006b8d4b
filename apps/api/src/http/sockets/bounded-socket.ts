import type { Socket } from 'node:net'
import { WebSocket } from 'ws'
import { TextFrames } from './text-frames.ts'

/** A reader that would have more unread is too slow and is cut off; one that has read everything gets a longer answer, too. */
const UNREAD_BYTES_MAX = 1_048_576

/** A socket that is cut off instead of buffering without end. */
export class BoundedSocket extends WebSocket {
  /** Where frames that are made already are written: nothing is compressed here, so none is ever under way within ws. */
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

/** Sends frames that several sockets share. `never`: the types of ws know of no such message. */
export function sendFrames(socket: WebSocket, frames: TextFrames): void {
  socket.send(frames as never)
}

/** Of a message as the doors send them: text, or frames. */
function countBytes(message: unknown): number {
  return message instanceof TextFrames ? message.bytes.length : Buffer.byteLength(String(message))
}
