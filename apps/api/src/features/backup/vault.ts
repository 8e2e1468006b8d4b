import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants as zlib, zstdCompress, zstdDecompress } from 'node:zlib'
import { Decrypter, Encrypter } from 'age-encryption'
import { type BackupError, UnreadableError } from './backup-error.ts'
import type { BackupLocation } from './location.ts'

const COMPRESSED = '.zst'
const ENCRYPTED = '.zst.age'
const COMPRESSION = { params: { [zlib.ZSTD_c_compressionLevel]: 1, [zlib.ZSTD_c_checksumFlag]: 1 } }
/**
 * Max size of a part in bytes. A larger file is stored in parts, because each part must fit into memory and into one
 * request.
 */
export const PART_BYTES = 32 * 1_048_576
/** The work factor of the encryption can be low, because the key is random and cannot be guessed. */
const SCRYPT_WORK_FACTOR = 10

const compress = promisify<Buffer, typeof COMPRESSION, Buffer>(zstdCompress)
const decompress = promisify<Buffer, { readonly maxOutputLength: number }, Buffer>(zstdDecompress)

interface StoredFile {
  readonly bytes: number
  /** Hash of the bytes as stored, in hex. */
  readonly sha256: string
}

/**
 * The files of a backup destination. The files are compressed and, if there is a key, encrypted in age's format with
 * the key as passphrase. The first key encrypts, and all keys decrypt. If there is a key, unencrypted files are
 * rejected, because an attacker could have stored them.
 */
export class Vault {
  readonly location: BackupLocation
  /**
   * The folder with those pictures that the first key can decrypt. Each key has its own copies of the pictures, so that
   * a restore needs no older key.
   */
  readonly picturesFolder: string
  readonly #keys: readonly string[]
  readonly #ending: string

  constructor(location: BackupLocation, keys: readonly Buffer[]) {
    this.location = location
    this.#keys = keys.map((key) => key.toString('base64'))
    this.picturesFolder = keys[0] === undefined ? 'pictures' : `pictures-${hash(keys[0]).slice(0, 8)}`
    this.#ending = this.isEncrypted ? ENCRYPTED : COMPRESSED
  }

  get isEncrypted(): boolean {
    return this.#keys.length > 0
  }

  async write(name: string, plain: Buffer): Promise<StoredFile> {
    const [key] = this.#keys
    const packed = await compress(plain, COMPRESSION)
    const bytes = key === undefined ? packed : await encrypt(packed, key)
    await this.location.write(`${name}${this.#ending}`, bytes)
    return { bytes: bytes.length, sha256: hash(bytes) }
  }

  /**
   * Reads a file of the backup. Throws UnreadableError if the file is missing, damaged, does not match `sha256`, or is
   * encrypted with another key.
   */
  async read(name: string, sha256?: string): Promise<Buffer> {
    const bytes = await this.find(name, sha256)
    if (bytes === null) throw new UnreadableError(`${name} is missing in ${this.location.label}.`)
    return bytes
  }

  /** Reads a file; returns null if there is no such file. */
  async find(name: string, sha256?: string): Promise<Buffer | null> {
    const stored = `${name}${this.#ending}`
    const bytes = await this.location.read(stored)
    if (bytes === null) return await this.#assertNone(name)
    if (sha256 !== undefined && hash(bytes) !== sha256) throw toDamaged(stored)
    try {
      const packed = this.isEncrypted ? await decrypt(bytes, this.#keys) : bytes
      return await decompress(packed, { maxOutputLength: 2 * PART_BYTES })
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('no identity matched')) {
        throw new UnreadableError('The backup was encrypted with another key than BACKUP_KEY.', { cause: error })
      }
      throw toDamaged(stored, error)
    }
  }

  /** Lists the names of the files in a folder that these keys can read. */
  async list(folder: string): Promise<string[]> {
    const names = await this.location.list(folder)
    return names.filter((name) => name.endsWith(this.#ending)).map((name) => name.slice(0, -this.#ending.length))
  }

  async remove(name: string): Promise<void> {
    for (const ending of [COMPRESSED, ENCRYPTED]) await this.location.remove(`${name}${ending}`)
  }

  /**
   * Stores a file in parts that are named `NAME.0000`, `NAME.0001` and so on. Returns the hashes and sizes of the
   * parts.
   */
  async writeParts(name: string, content: AsyncIterable<Buffer> | readonly Buffer[]) {
    const stored = { sha256s: [] as string[], bytes: 0, plainBytes: 0 }
    for await (const part of cutIntoParts(content)) {
      const { bytes, sha256 } = await this.write(toPartName(name, stored.sha256s.length), part)
      stored.sha256s.push(sha256)
      stored.bytes += bytes
      stored.plainBytes += part.length
    }
    return stored
  }

  async *readParts(name: string, sha256s: readonly string[]): AsyncIterable<Buffer> {
    for (const [part, sha256] of sha256s.entries()) yield await this.read(toPartName(name, part), sha256)
  }

  async #assertNone(name: string): Promise<null> {
    const other = this.isEncrypted ? COMPRESSED : ENCRYPTED
    if ((await this.location.read(`${name}${other}`)) === null) return null
    throw new UnreadableError(
      this.isEncrypted
        ? `${name}${other} is not encrypted; it is read only without BACKUP_KEY.`
        : 'The backup is encrypted: set BACKUP_KEY to its key.',
    )
  }
}

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function toDamaged(stored: string, cause?: unknown): BackupError {
  return new UnreadableError(`${stored} is damaged or was cut off.`, { cause })
}

async function encrypt(bytes: Buffer, key: string): Promise<Buffer> {
  const encrypter = new Encrypter()
  encrypter.setPassphrase(key)
  encrypter.setScryptWorkFactor(SCRYPT_WORK_FACTOR)
  return Buffer.from(await encrypter.encrypt(bytes))
}

async function decrypt(bytes: Buffer, keys: readonly string[]): Promise<Buffer> {
  const decrypter = new Decrypter()
  for (const key of keys) decrypter.addPassphrase(key)
  return Buffer.from(await decrypter.decrypt(bytes))
}

function toPartName(name: string, part: number): string {
  return `${name}.${String(part).padStart(4, '0')}`
}

async function* cutIntoParts(content: AsyncIterable<Buffer> | readonly Buffer[]): AsyncIterable<Buffer> {
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
