const HEADER_BYTES = 4

/** A frame that is too long or not JSON; the connection it came from cannot be used any more. */
export class FrameError extends Error {}

/** A value as a frame: the length of its JSON as four bytes, then the JSON. */
export function encodeFrame(value: unknown): Buffer {
  const text = JSON.stringify(value)
  const bytes = Buffer.byteLength(text)
  const frame = Buffer.allocUnsafe(HEADER_BYTES + bytes)
  frame.writeUInt32BE(bytes)
  frame.write(text, HEADER_BYTES)
  return frame
}

/** Collects the bytes of a connection into frames. */
export class FrameReader {
  readonly #bytesMax: number
  #chunks: Buffer[] = []
  #bytes = 0

  /** `bytesMax`: of the JSON of one frame. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** Adds bytes and returns the values of the frames that are complete now. Throws `FrameError`. */
  push(chunk: Buffer): unknown[] {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    const values: unknown[] = []
    for (let length = this.#nextLength(); length !== null && this.#bytes >= length; length = this.#nextLength()) {
      values.push(parse(this.#take(length).subarray(HEADER_BYTES)))
    }
    return values
  }

  /** The length of the next frame with its header; null if its header is not complete. */
  #nextLength(): number | null {
    if (this.#bytes < HEADER_BYTES) return null
    const first = this.#chunks[0]
    if (first === undefined || first.length < HEADER_BYTES) this.#chunks = [Buffer.concat(this.#chunks)]
    const bytes = (this.#chunks[0] as Buffer).readUInt32BE()
    if (bytes > this.#bytesMax) throw new FrameError(`a frame of ${bytes} bytes is too long`)
    return HEADER_BYTES + bytes
  }

  #take(length: number): Buffer {
    const all = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks)
    this.#chunks = all.length === length ? [] : [all.subarray(length)]
    this.#bytes -= length
    return all.subarray(0, length)
  }
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    throw new FrameError('a frame is not JSON')
  }
}
