/** Bytes that do not hold what they should; the connection they came from cannot be used any more. */
export class FrameError extends Error {}

const CHUNK_BYTES = 65_536
const ABSENT = 0xffff
/** Max length of a text, in UTF-16 units. */
export const TEXT_MAX = ABSENT - 1

export type Text = string | null | undefined

/** Writes numbers and texts one after another. Takes its memory from chunks, so that many short messages share one. */
export class ByteWriter {
  #chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
  #begin = 0
  #at = 0

  /** Bytes written since the last `take`. */
  get length(): number {
    return this.#at - this.#begin
  }

  u8(value: number): void {
    this.#reserve(1)
    this.#chunk[this.#at++] = value
  }

  /** Throws a `RangeError` if the value is no integer of 32 bits without a sign. */
  u32(value: number): void {
    this.#reserve(4)
    if (value >>> 0 !== value) throw new RangeError(`${value} is no integer of 32 bits`)
    this.#at = this.#chunk.writeUInt32BE(value, this.#at)
  }

  /** Replaces a number written before; `at` counts from the last `take`. */
  setU32(at: number, value: number): void {
    this.#chunk.writeUInt32BE(value, this.#begin + at)
  }

  f64(value: number): void {
    this.#reserve(8)
    this.#at = this.#chunk.writeDoubleBE(value, this.#at)
  }

  /**
   * Writes several texts as one: whether they need two bytes a character, their lengths, their characters. One write is much
   * cheaper than many. Throws a `RangeError` if one is longer than `TEXT_MAX`.
   */
  texts(values: readonly Text[]): void {
    let all = ''
    this.#reserve(1 + 2 * values.length)
    const begin = this.#at
    this.#at++
    for (const value of values) {
      const length = value?.length ?? ABSENT
      if (value != null && length > TEXT_MAX) throw new RangeError(`a text of ${length} characters is too long`)
      this.#chunk[this.#at++] = length >>> 8
      this.#chunk[this.#at++] = length & 0xff
      if (value != null) all += value
    }
    const isWide = Buffer.byteLength(all) !== all.length
    this.#chunk[begin] = isWide ? 2 : 1
    this.#reserve(isWide ? 2 * all.length : all.length)
    this.#at += this.#chunk.write(all, this.#at, isWide ? 'utf16le' : 'latin1')
  }

  /** Returns what was written since the last call. */
  take(): Buffer {
    const taken = this.#chunk.subarray(this.#begin, this.#at)
    this.#begin = this.#at
    return taken
  }

  /** Forgets what was written since the last `take`. */
  discard(): void {
    this.#at = this.#begin
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#chunk.length) return
    const { length } = this
    const chunk = Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, 2 * (length + bytes)))
    this.#chunk.copy(chunk, 0, this.#begin, this.#at)
    this.#chunk = chunk
    this.#begin = 0
    this.#at = length
  }
}

/** Reads what `ByteWriter` wrote. Every method throws `FrameError` where the bytes end too soon. */
export class ByteReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  u8(): number {
    return this.#bytes[this.#advance(1)] as number
  }

  u32(): number {
    return this.#bytes.readUInt32BE(this.#advance(4))
  }

  f64(): number {
    return this.#bytes.readDoubleBE(this.#advance(8))
  }

  /** A number of things that take at least `bytesMin` each, so that a false one cannot ask for much memory. */
  count(bytesMin: number): number {
    const count = this.u32()
    if (count * bytesMin > this.#bytes.length - this.#at) throw new FrameError(`a frame does not hold ${count} parts`)
    return count
  }

  texts(count: number): (string | null)[] {
    const width = this.u8()
    if (width !== 1 && width !== 2) throw new FrameError(`there are no texts of ${width} bytes a character`)
    const lengths = this.#advance(2 * count)
    let total = 0
    for (let i = 0; i < count; i++) total += this.#lengthAt(lengths + 2 * i)
    const begin = this.#advance(width * total)
    const all = this.#bytes.toString(width === 1 ? 'latin1' : 'utf16le', begin, begin + width * total)
    const values: (string | null)[] = []
    for (let i = 0, at = 0; i < count; i++) {
      const isAbsent = this.#bytes.readUInt16BE(lengths + 2 * i) === ABSENT
      const length = this.#lengthAt(lengths + 2 * i)
      values.push(isAbsent ? null : all.slice(at, at + length))
      at += length
    }
    return values
  }

  /** Throws unless everything was read. */
  end(): void {
    if (this.#at !== this.#bytes.length) throw new FrameError('a frame is longer than its content')
  }

  #lengthAt(at: number): number {
    const length = this.#bytes.readUInt16BE(at)
    return length === ABSENT ? 0 : length
  }

  #advance(bytes: number): number {
    const at = this.#at
    this.#at += bytes
    if (this.#at > this.#bytes.length) throw new FrameError('a frame ends too soon')
    return at
  }
}
