/** WebSocket frames (RFC 6455), as far as benches need them. */
export const TEXT = 1
export const CLOSE = 8
export const PING = 9
export const PONG = 10

const FINAL = 0x80
const MASKED = 0x80
const MASK_BYTES = 4
const LENGTH_16 = 126
const LENGTH_64 = 127
const NOTHING = Buffer.alloc(0)

/** Encodes a client's frame, masked with zeros. Throws for 64 kB or more. */
export function clientFrame(opcode: number, payload: Buffer | string): Buffer {
  const bytes = Buffer.from(payload)
  if (bytes.length > 0xffff) throw new RangeError('a bench sends no such frame')
  const isShort = bytes.length < LENGTH_16
  const head = Buffer.alloc((isShort ? 2 : 4) + MASK_BYTES)
  head[0] = FINAL | opcode
  head[1] = MASKED | (isShort ? bytes.length : LENGTH_16)
  if (!isShort) head.writeUInt16BE(bytes.length, 2)
  return Buffer.concat([head, bytes])
}

/** Splits a server's byte stream into frames. */
export class FrameReader {
  /** The beginning of an incomplete frame. */
  #rest: Buffer = NOTHING

  /** Calls `take` for each complete frame; its payload is valid until the next push. */
  push(data: Buffer, take: (opcode: number, payload: Buffer) => void): void {
    const bytes = this.#rest.length === 0 ? data : Buffer.concat([this.#rest, data])
    let at = 0
    for (;;) {
      const frame = frameAt(bytes, at)
      if (frame === null) break
      take(frame.opcode, bytes.subarray(frame.from, frame.end))
      at = frame.end
    }
    this.#rest = at === bytes.length ? NOTHING : bytes.subarray(at)
  }
}

interface Frame {
  readonly opcode: number
  readonly from: number
  readonly end: number
}

/** Locates the payload of a server's frame; null while incomplete. Throws for unsupported lengths. */
function frameAt(bytes: Buffer, at: number): Frame | null {
  const first = bytes[at]
  const said = bytes[at + 1]
  if (first === undefined || said === undefined) return null
  const headBytes = said < LENGTH_16 ? 2 : said === LENGTH_16 ? 4 : 10
  if (bytes.length < at + headBytes) return null
  const length =
    said < LENGTH_16 ? said : said === LENGTH_64 ? Number(bytes.readBigUInt64BE(at + 2)) : bytes.readUInt16BE(at + 2)
  const from = at + headBytes
  return bytes.length < from + length ? null : { opcode: first & 0x0f, from, end: from + length }
}
