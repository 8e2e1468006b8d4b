import type { Socket } from 'node:net'
import { connectRaw, toRequest } from './raw-connection.ts'

const TEXT = 1
const CLOSE = 8
const PING = 9
const PONG = 10
/** Of the first byte of a frame: it is the last of its message. */
const FINAL = 0x80
/** Of the second byte: a mask of four bytes follows, which clients must send and may leave zero. */
const MASKED = 0x80
const LENGTH_16 = 126
const LENGTH_64 = 127
const UPGRADED = 'HTTP/1.1 101'
const HEAD_END = Buffer.from('\r\n\r\n')

/** A text message as a client sends it. */
export function toFrame(text: string): Buffer {
  return frame(TEXT, Buffer.from(text))
}

interface Opening {
  readonly url: string
  readonly path: string
  readonly localAddress: string
}

/**
 * Opens a WebSocket, says the frames and stays, with the answers of any client to pings and to the server's goodbye. Events
 * are counted by their lengths alone: hundreds of watchers that parse them would keep the processor from the server.
 */
export function openRawWebSocket({ url, path, localAddress }: Opening, frames: readonly Buffer[]): Socket {
  let isOpen = false
  const finder = new ControlFinder((opcode) => {
    if (opcode === PING) socket.write(frame(PONG))
    else socket.end(frame(CLOSE, Buffer.of(3, 232)))
  })
  const socket = connectRaw({ url, localAddress }, (bytes) => {
    if (isOpen) return finder.take(bytes)
    const end = bytes.indexOf(HEAD_END)
    // Any other answer refuses the upgrade.
    if (!bytes.toString('latin1', 0, UPGRADED.length).startsWith(UPGRADED) || end === -1) return void socket.destroy()
    isOpen = true
    for (const said of frames) socket.write(said)
    finder.take(bytes.subarray(end + HEAD_END.length))
  })
  socket.write(
    toRequest(`GET ${path}`, {
      host: new URL(url).host,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': Buffer.alloc(16).toString('base64'),
    }),
  )
  return socket
}

function frame(opcode: number, payload = Buffer.alloc(0)): Buffer {
  const { length } = payload
  const head = length < LENGTH_16 ? [MASKED | length] : [MASKED | LENGTH_16, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(FINAL | opcode, ...head), Buffer.alloc(4), payload])
}

/** Finds pings and goodbyes among a server's frames, which have no mask, and skips what is in the others. */
class ControlFinder {
  readonly #found: (opcode: number) => void
  /** The first bytes of a frame whose length is not known yet. */
  #head: number[] = []
  /** Bytes of the current frame that are still to come. */
  #left = 0

  constructor(found: (opcode: number) => void) {
    this.#found = found
  }

  take(bytes: Buffer): void {
    let at = 0
    while (at < bytes.length) {
      const skipped = Math.min(this.#left, bytes.length - at)
      at += skipped
      this.#left -= skipped
      if (at < bytes.length) this.#takeHead(bytes[at++] ?? 0)
    }
  }

  #takeHead(byte: number): void {
    this.#head.push(byte)
    const [first = 0, short] = this.#head
    const wide = short === LENGTH_16 ? 2 : short === LENGTH_64 ? 8 : 0
    if (short === undefined || this.#head.length < 2 + wide) return
    this.#left = wide === 0 ? short : this.#head.slice(2).reduce((length, part) => length * 256 + part, 0)
    this.#head = []
    const opcode = first & 0x0f
    if (opcode === CLOSE || opcode === PING) this.#found(opcode)
  }
}
