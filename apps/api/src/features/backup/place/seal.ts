import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { Transform, type TransformCallback } from 'node:stream'
import { BackupError } from '../backup-error.ts'

const MAGIC = Buffer.from('papermoon-seal-1')
const KEY_ID_BYTES = 8
const SALT_BYTES = 32
const HEADER_BYTES = MAGIC.length + KEY_ID_BYTES + SALT_BYTES
const CHUNK_BYTES = 65_536
const TAG_BYTES = 16
const ALGORITHM = 'aes-256-gcm'

/**
 * Encrypts a file with AES-256-GCM in chunks of 64 kB, by the STREAM construction (Hoang, Reyhanitabar, Rogaway, Vizár 2015), as
 * age does: the nonce is the chunk's number and a mark on the last one, so that chunks cannot be cut off, repeated or moved. The
 * key of each file is derived from a random salt and the file's `name` (HKDF-SHA-256), so files cannot take each other's place.
 */
export function seal(key: Buffer, name: string): Transform {
  const salt = randomBytes(SALT_BYTES)
  const header = Buffer.concat([MAGIC, toKeyId(key), salt])
  const fileKey = deriveFileKey(key, salt, name)
  return new ChunkTransform(CHUNK_BYTES, {
    begin: header,
    work: (chunk, nonce) => {
      const cipher = createCipheriv(ALGORITHM, fileKey, nonce)
      cipher.setAAD(header)
      return Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
    },
  })
}

/** Decrypts what `seal` made, with whichever of the keys it was sealed with. Fails with BackupError, before any forged byte leaves. */
export function unseal(keys: readonly Buffer[], name: string): Transform {
  let header: Buffer = Buffer.alloc(0)
  let fileKey: Buffer | null = null
  const open = (chunk: Buffer, nonce: Buffer): Buffer => {
    if (fileKey === null || chunk.length < TAG_BYTES) throw truncated(name)
    const decipher = createDecipheriv(ALGORITHM, fileKey, nonce)
    decipher.setAAD(header)
    decipher.setAuthTag(chunk.subarray(-TAG_BYTES))
    const plain = decipher.update(chunk.subarray(0, -TAG_BYTES))
    try {
      return Buffer.concat([plain, decipher.final()])
    } catch {
      throw new BackupError(`${name} is damaged or was cut off: it does not match its seal.`)
    }
  }
  return new ChunkTransform(CHUNK_BYTES + TAG_BYTES, {
    headerBytes: HEADER_BYTES,
    readHeader: (bytes) => {
      header = bytes
      fileKey = deriveFileKey(chooseKey(keys, header, name), header.subarray(-SALT_BYTES), name)
    },
    work: open,
    truncated: () => truncated(name),
  })
}

/** Names a key without telling anything about it. */
function toKeyId(key: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', 'papermoon backup: id of the key', KEY_ID_BYTES))
}

function deriveFileKey(key: Buffer, salt: Buffer, name: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, `papermoon backup: ${name}`, 32))
}

function chooseKey(keys: readonly Buffer[], header: Buffer, name: string): Buffer {
  if (!header.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw new BackupError(`${name} is not a file that Papermoon encrypted.`)
  }
  if (keys.length === 0) throw new BackupError('The backup is encrypted: set BACKUP_KEY to its key.')
  const id = header.subarray(MAGIC.length, MAGIC.length + KEY_ID_BYTES)
  const key = keys.find((candidate) => toKeyId(candidate).equals(id))
  if (key === undefined) throw new BackupError('The backup was encrypted with another key than BACKUP_KEY.')
  return key
}

function truncated(name: string): BackupError {
  return new BackupError(`${name} is cut off: its end is missing.`)
}

interface ChunkWork {
  /** Written first. */
  readonly begin?: Buffer
  /** Length of what precedes the chunks. */
  readonly headerBytes?: number
  readHeader?(header: Buffer): void
  work(chunk: Buffer, nonce: Buffer): Buffer
  truncated?(): Error
}

/** Cuts its input into chunks of one size. The last one, which may be empty, has a nonce of its own kind. */
class ChunkTransform extends Transform {
  readonly #chunkBytes: number
  readonly #work: ChunkWork
  #headerLeft: number
  #pending: Buffer[] = []
  #pendingBytes = 0
  #number = 0n

  constructor(chunkBytes: number, work: ChunkWork) {
    super()
    this.#chunkBytes = chunkBytes
    this.#work = work
    this.#headerLeft = work.headerBytes ?? 0
    if (work.begin) this.push(work.begin)
  }

  override _transform(data: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#run(done, () => {
      this.#pending.push(data)
      this.#pendingBytes += data.length
      if (this.#headerLeft > 0 && this.#pendingBytes >= this.#headerLeft) this.#takeHeader()
      // A chunk is the last one only if nothing follows it.
      while (this.#headerLeft === 0 && this.#pendingBytes > this.#chunkBytes) this.#pushChunk(this.#chunkBytes, false)
    })
  }

  override _flush(done: TransformCallback): void {
    this.#run(done, () => {
      if (this.#headerLeft > 0) throw this.#work.truncated?.() ?? new Error('no header')
      this.#pushChunk(this.#pendingBytes, true)
    })
  }

  #run(done: TransformCallback, work: () => void): void {
    try {
      work()
      done()
    } catch (error) {
      done(error as Error)
    }
  }

  #takeHeader(): void {
    const header = this.#take(this.#headerLeft)
    this.#headerLeft = 0
    this.#work.readHeader?.(header)
  }

  #pushChunk(bytes: number, isLast: boolean): void {
    const nonce = Buffer.alloc(12)
    nonce.writeBigUInt64BE(this.#number++, 3)
    nonce[11] = isLast ? 1 : 0
    this.push(this.#work.work(this.#take(bytes), nonce))
  }

  #take(bytes: number): Buffer {
    const all = this.#pending.length === 1 ? (this.#pending[0] as Buffer) : Buffer.concat(this.#pending)
    this.#pending = [all.subarray(bytes)]
    this.#pendingBytes = all.length - bytes
    return all.subarray(0, bytes)
  }
}
