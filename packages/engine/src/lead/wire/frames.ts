import { type ByteReader, type ByteWriter, FrameError } from './bytes.ts'

/** Changes with the layout or meaning of any message. Nodes of different versions do not forward to each other. */
export const VERSION = 3

/** The length of what follows, then the version, then the type of the message. */
const LENGTH_BYTES = 4
const MARK_BYTES = 2

/** The message of another build. */
export class VersionError extends FrameError {}

/** Writes one message with `write` as a frame. */
export function encodeFrame(writer: ByteWriter, type: number, write: (writer: ByteWriter) => void): Buffer {
  try {
    writer.u32(0)
    writer.u8(VERSION)
    writer.u8(type)
    write(writer)
    writer.setU32(0, writer.length - LENGTH_BYTES)
    return writer.take()
  } catch (error) {
    writer.discard()
    throw error
  }
}

/** Reads the version and type of a frame. Throws `VersionError`. */
export function readType(frame: ByteReader): number {
  const version = frame.u8()
  if (version !== VERSION) throw new VersionError(`this build speaks version ${VERSION}, the other ${version}`)
  return frame.u8()
}

/** Collects the bytes of a connection into frames. */
export class FrameReader {
  readonly #bytesMax: number
  #chunks: Buffer[] = []
  #bytes = 0

  /** `bytesMax`: of one frame. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** Adds bytes and returns the frames that are complete now, without their lengths. Throws `FrameError`. */
  push(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    const frames: Buffer[] = []
    for (let length = this.#nextLength(); length !== null && this.#bytes >= length; length = this.#nextLength()) {
      frames.push(this.#take(length).subarray(LENGTH_BYTES))
    }
    return frames
  }

  /** The length of the next frame with its header; null if its header is not complete. */
  #nextLength(): number | null {
    if (this.#bytes < LENGTH_BYTES) return null
    const first = this.#chunks[0]
    if (first === undefined || first.length < LENGTH_BYTES) this.#chunks = [Buffer.concat(this.#chunks)]
    const bytes = (this.#chunks[0] as Buffer).readUInt32BE()
    if (bytes > this.#bytesMax) throw new FrameError(`a frame of ${bytes} bytes is too long`)
    if (bytes < MARK_BYTES) throw new FrameError(`a frame of ${bytes} bytes is too short`)
    return LENGTH_BYTES + bytes
  }

  #take(length: number): Buffer {
    const all = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks)
    this.#chunks = all.length === length ? [] : [all.subarray(length)]
    this.#bytes -= length
    return all.subarray(0, length)
  }
}
