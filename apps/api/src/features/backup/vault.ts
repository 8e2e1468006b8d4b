import { promisify } from 'node:util'
import { constants as zlib, zstdCompress, zstdDecompress } from 'node:zlib'
import { Decrypter, Encrypter } from 'age-encryption'
import { BackupError } from './backup-error.ts'
import type { BackupPlace } from './place.ts'

const COMPRESSED = '.zst'
const ENCRYPTED = '.zst.age'
const COMPRESSION = { params: { [zlib.ZSTD_c_compressionLevel]: 1, [zlib.ZSTD_c_checksumFlag]: 1 } }
/** A larger file is stored in parts, so that each is small enough for memory and for one request. */
export const PART_BYTES = 32 * 1_048_576
/** The key is random, so nobody can guess it, and need not be slowed. */
const SCRYPT_WORK_FACTOR = 10

const compress = promisify<Buffer, typeof COMPRESSION, Buffer>(zstdCompress)
const decompress = promisify<Buffer, { readonly maxOutputLength: number }, Buffer>(zstdDecompress)

/** A file that is stored in parts: `NAME.0000` and so on. */
export interface StoredParts {
  readonly parts: number
  /** As they are stored, and before compression. */
  readonly bytes: number
  readonly plainBytes: number
}

/**
 * Files of a place, compressed and, if there is a key, encrypted in the format of age with the key as passphrase. The first key
 * encrypts, all of them decrypt.
 */
export class Vault {
  readonly place: BackupPlace
  readonly #keys: readonly string[]

  constructor(place: BackupPlace, keys: readonly Buffer[]) {
    this.place = place
    this.#keys = keys.map((key) => key.toString('base64'))
  }

  get isEncrypted(): boolean {
    return this.#keys.length > 0
  }

  /** Returns the stored bytes. */
  async write(name: string, plain: Buffer): Promise<number> {
    const [key] = this.#keys
    const bytes = key === undefined ? await compress(plain, COMPRESSION) : await encrypt(plain, key)
    await this.place.write(`${name}${key === undefined ? COMPRESSED : ENCRYPTED}`, bytes)
    return bytes.length
  }

  /** Throws BackupError if it is missing, damaged or encrypted with another key. */
  async read(name: string): Promise<Buffer> {
    const bytes = await this.find(name)
    if (bytes === null) throw new BackupError(`${name} is missing in ${this.place.label}.`)
    return bytes
  }

  /** Null if there is no such file. */
  async find(name: string): Promise<Buffer | null> {
    for (const ending of this.isEncrypted ? [ENCRYPTED, COMPRESSED] : [COMPRESSED, ENCRYPTED]) {
      const bytes = await this.place.read(`${name}${ending}`)
      if (bytes !== null) return await this.#unpack(`${name}${ending}`, bytes)
    }
    return null
  }

  /** Names of the files of a folder, as they were written. */
  async list(folder: string): Promise<string[]> {
    return (await this.place.list(folder)).map((name) => name.replace(/\.zst(\.age)?$/, ''))
  }

  async remove(name: string): Promise<void> {
    for (const ending of [COMPRESSED, ENCRYPTED]) await this.place.remove(`${name}${ending}`)
  }

  async writeParts(name: string, content: AsyncIterable<Buffer>): Promise<StoredParts> {
    const stored = { parts: 0, bytes: 0, plainBytes: 0 }
    for await (const part of cutIntoParts(content)) {
      stored.bytes += await this.write(toPartName(name, stored.parts), part)
      stored.parts++
      stored.plainBytes += part.length
    }
    return stored
  }

  async *readParts(name: string, { parts }: Pick<StoredParts, 'parts'>): AsyncIterable<Buffer> {
    for (let part = 0; part < parts; part++) yield await this.read(toPartName(name, part))
  }

  async #unpack(stored: string, bytes: Buffer): Promise<Buffer> {
    if (stored.endsWith(ENCRYPTED) && !this.isEncrypted) {
      throw new BackupError('The backup is encrypted: set BACKUP_KEY to its key.')
    }
    try {
      const packed = stored.endsWith(ENCRYPTED) ? await decrypt(bytes, this.#keys) : bytes
      return await decompress(packed, { maxOutputLength: 2 * PART_BYTES })
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('no identity matched')) {
        throw new BackupError('The backup was encrypted with another key than BACKUP_KEY.', { cause: error })
      }
      throw new BackupError(`${stored} is damaged or was cut off.`, { cause: error })
    }
  }
}

async function encrypt(plain: Buffer, key: string): Promise<Buffer> {
  const encrypter = new Encrypter()
  encrypter.setPassphrase(key)
  encrypter.setScryptWorkFactor(SCRYPT_WORK_FACTOR)
  return Buffer.from(await encrypter.encrypt(await compress(plain, COMPRESSION)))
}

async function decrypt(bytes: Buffer, keys: readonly string[]): Promise<Buffer> {
  const decrypter = new Decrypter()
  for (const key of keys) decrypter.addPassphrase(key)
  return Buffer.from(await decrypter.decrypt(bytes))
}

function toPartName(name: string, part: number): string {
  return `${name}.${String(part).padStart(4, '0')}`
}

async function* cutIntoParts(content: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let pending: Buffer[] = []
  let bytes = 0
  for await (const chunk of content) {
    pending.push(chunk)
    bytes += chunk.length
    if (bytes < PART_BYTES) continue
    yield Buffer.concat(pending)
    pending = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(pending)
}
