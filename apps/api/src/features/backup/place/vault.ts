import { createHash, type Hash } from 'node:crypto'
import { type Duplex, pipeline, Readable, Transform } from 'node:stream'
import { createZstdCompress, createZstdDecompress, constants as zlib } from 'node:zlib'
import { BackupError } from '../backup-error.ts'
import type { BackupPlace } from './backup-place.ts'
import { seal, unseal } from './seal.ts'

const COMPRESSED = '.zst'
const SEALED = '.sealed'
const COMPRESSION = { params: { [zlib.ZSTD_c_compressionLevel]: 1, [zlib.ZSTD_c_checksumFlag]: 1 } }
const SMALL_BYTES_MAX = 16 * 1_048_576

/** A file as it is stored. */
export interface StoredFile {
  /** With what was done to it: `base.tar.zst.sealed`. */
  readonly name: string
  readonly bytes: number
  /** SHA-256 of the stored bytes, hexadecimal. */
  readonly sha256: string
}

export interface WrittenFile extends StoredFile {
  /** Bytes before compression. */
  readonly plainBytes: number
}

/** Files of a place, compressed and, if there is a key, encrypted. The first key encrypts, all of them decrypt. */
export class Vault {
  readonly place: BackupPlace
  readonly #keys: readonly Buffer[]

  constructor(place: BackupPlace, keys: readonly Buffer[]) {
    this.place = place
    this.#keys = keys
  }

  get isSealed(): boolean {
    return this.#keys.length > 0
  }

  /** The name under which a file is stored. */
  toStoredName(name: string, isCompressed: boolean): string {
    return `${name}${isCompressed ? COMPRESSED : ''}${this.isSealed ? SEALED : ''}`
  }

  /** The name without what was done to the file. */
  toPlainName(stored: string): string {
    return stored.replace(/\.sealed$/, '').replace(/\.zst$/, '')
  }

  async write(name: string, content: AsyncIterable<Buffer>, { isCompressed = true } = {}): Promise<WrittenFile> {
    const stored = this.toStoredName(name, isCompressed)
    const [plain, written] = [new Meter(), new Meter()]
    const [key] = this.#keys
    const steps: Duplex[] = [plain.stream, ...(isCompressed ? [createZstdCompress(COMPRESSION)] : [])]
    if (key !== undefined) steps.push(seal(key, stored))
    await this.place.write(stored, chain(Readable.from(content, { objectMode: false }), [...steps, written.stream]))
    return { name: stored, bytes: written.bytes, sha256: written.digest(), plainBytes: plain.bytes }
  }

  /** The plain bytes of a stored file. With a record, other bytes than the recorded ones fail at the end of the stream. */
  async read(stored: string, record: StoredFile | null = null): Promise<Readable> {
    const source = await this.place.read(stored)
    if (source === null) throw new BackupError(`${stored} is missing in ${this.place.label}.`)
    const meter = new Meter(record)
    const steps: Duplex[] = [meter.stream]
    if (stored.endsWith(SEALED)) steps.push(unseal(this.#keys, stored))
    if (stored.replace(/\.sealed$/, '').endsWith(COMPRESSED)) steps.push(decompress(stored))
    return chain(source, steps)
  }

  async writeJson(name: string, value: unknown): Promise<void> {
    await this.write(name, toChunks(JSON.stringify(value, null, 1)), { isCompressed: false })
  }

  /** A small file as a whole. */
  async readAll(stored: string, record: StoredFile | null = null): Promise<Buffer> {
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of (await this.read(stored, record)) as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > SMALL_BYTES_MAX * 2) throw new BackupError(`${stored} is larger than it can be.`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  }
}

export async function* toChunks(text: string | Buffer): AsyncIterable<Buffer> {
  yield Buffer.from(text)
}

/** The end of a chain of streams; fails with the first error of any of them. */
function chain(source: Readable, steps: readonly Duplex[]): Readable {
  // Errors reach the reader, since they destroy every stream of the chain.
  pipeline([source, ...steps], () => {})
  return steps.at(-1) ?? source
}

/** Counts and hashes what passes. */
class Meter {
  bytes = 0
  readonly stream: Transform
  readonly #hash: Hash = createHash('sha256')

  /** With a record, the stream fails at its end unless it had these bytes. */
  constructor(record: StoredFile | null = null) {
    this.stream = new Transform({
      transform: (data: Buffer, _encoding, done) => {
        this.bytes += data.length
        this.#hash.update(data)
        done(null, data)
      },
      flush: (done) => done(record && this.#compare(record)),
    })
  }

  digest(): string {
    return this.#hash.digest('hex')
  }

  #compare({ name, bytes, sha256 }: StoredFile): BackupError | null {
    if (this.bytes < bytes) return new BackupError(`${name} is cut off: ${this.bytes} of ${bytes} bytes are there.`)
    if (this.digest() !== sha256)
      return new BackupError(`${name} is damaged: its bytes are not those that were stored.`)
    return null
  }
}

function decompress(stored: string): Transform {
  const stream = createZstdDecompress()
  const emit = stream.emit.bind(stream)
  stream.emit = (event: string | symbol, ...args: unknown[]) =>
    event === 'error'
      ? emit('error', new BackupError(`${stored} is damaged or was cut off.`, { cause: args[0] }))
      : emit(event, ...args)
  return stream
}
