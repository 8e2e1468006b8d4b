import type { Readable } from 'node:stream'
import { TimeoutError, withTimeout } from '@papermoon/db'
import type { BucketItem, Client } from 'minio'
import type { S3Config } from '../../../config.ts'
import { createS3Client, isMissingObject, makeBucket } from '../../../storage/s3-client.ts'
import { BackupError } from '../backup-error.ts'
import type { BackupPlace, PlaceFile } from './backup-place.ts'
import { endWhenStalled } from './stall.ts'

/** S3 takes 10,000 parts: files of up to 640 GB. One part is in memory at a time. */
const PART_BYTES = 64 * 1_048_576
/** A part takes two minutes at 4 Mbit/s. */
const PART_MAX_MS = 300_000
const ANSWER_MAX_MS = 30_000

interface S3PlaceOptions {
  /** The place as the operator wrote it. */
  readonly label: string
  readonly config: S3Config
  readonly prefix: string
  readonly partBytes?: number
}

/** Backups below a prefix of a bucket of MinIO or another S3. Who can read them is up to the bucket's policy. */
export class S3Place implements BackupPlace {
  readonly label: string
  readonly #config: S3Config
  readonly #prefix: string
  readonly #client: Client
  readonly #partBytes: number

  constructor({ label, config, prefix, partBytes = PART_BYTES }: S3PlaceOptions) {
    this.label = label
    this.#partBytes = partBytes
    this.#config = config
    this.#prefix = prefix === '' ? '' : `${prefix}/`
    this.#client = createS3Client(config)
  }

  async prepare(): Promise<void> {
    await this.#run(() => withTimeout(makeBucket(this.#client, this.#config), ANSWER_MAX_MS))
  }

  async write(name: string, content: Readable): Promise<void> {
    await this.#run(() => this.#upload(`${this.#prefix}${name}`, content))
  }

  async read(name: string): Promise<Readable | null> {
    return await this.#run(async () => {
      try {
        const object = this.#client.getObject(this.#config.bucket, `${this.#prefix}${name}`)
        return endWhenStalled(await withTimeout(object, ANSWER_MAX_MS), `${this.label} sends no more data`)
      } catch (error) {
        if (isMissingObject(error)) return null
        throw error
      }
    })
  }

  async list(prefix: string): Promise<PlaceFile[]> {
    return await this.#run(async () => {
      const files: PlaceFile[] = []
      const items: AsyncIterable<BucketItem> = this.#client.listObjectsV2(
        this.#config.bucket,
        `${this.#prefix}${prefix}`,
        true,
      )
      for await (const { name, size, lastModified } of items) {
        if (name === undefined) continue
        const file = { name: name.slice(this.#prefix.length), bytes: size ?? 0 }
        files.push({ ...file, modifiedAt: lastModified ?? new Date() })
      }
      return files
    })
  }

  async remove(name: string): Promise<void> {
    const removed = this.#client.removeObject(this.#config.bucket, `${this.#prefix}${name}`)
    await this.#run(() => withTimeout(removed, ANSWER_MAX_MS))
  }

  /** The client's own upload of a stream would go on with parts of one that failed before. */
  async #upload(name: string, content: Readable): Promise<void> {
    const { bucket } = this.#config
    const parts = cutIntoParts(content, this.#partBytes)
    const first = (await parts.next()).value ?? Buffer.alloc(0)
    if (first.length < this.#partBytes) {
      await this.#send(this.#client.putObject(bucket, name, first, first.length))
      return
    }
    const uploadId = await this.#send(this.#client.initiateNewMultipartUpload(bucket, name, {}))
    try {
      const etags = [await this.#sendPart({ name, uploadId, number: 1 }, first)]
      for await (const part of parts) {
        etags.push(await this.#sendPart({ name, uploadId, number: etags.length + 1 }, part))
      }
      await this.#send(this.#client.completeMultipartUpload(bucket, name, uploadId, etags))
    } catch (error) {
      await this.#client.abortMultipartUpload(bucket, name, uploadId).catch(() => {})
      throw error
    }
  }

  async #sendPart(
    { name, uploadId, number }: { readonly name: string; readonly uploadId: string; readonly number: number },
    bytes: Buffer,
  ): Promise<{ readonly part: number; readonly etag: string }> {
    const part = {
      bucketName: this.#config.bucket,
      objectName: name,
      uploadID: uploadId,
      partNumber: number,
      headers: {},
    }
    const { etag } = await this.#send(this.#client.uploadPart(part, bytes))
    return { part: number, etag }
  }

  #send<T>(work: Promise<T>): Promise<T> {
    return withTimeout(work, PART_MAX_MS)
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      // Others broke the source of a file.
      if (!isOfS3(error)) throw error
      const why = error instanceof AggregateError ? error.errors.map(String).join('; ') : describe(error)
      throw new BackupError(`${this.label} cannot be used: ${why}.`, { cause: error })
    }
  }
}

function isOfS3(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (
    error instanceof TimeoutError || error instanceof AggregateError || error.name === 'S3Error' || 'syscall' in error
  )
}

/** All of one size but the last. */
async function* cutIntoParts(content: Readable, partBytes: number): AsyncGenerator<Buffer> {
  let pending: Buffer[] = []
  let bytes = 0
  for await (const chunk of content as AsyncIterable<Buffer>) {
    pending.push(chunk)
    bytes += chunk.length
    if (bytes < partBytes) continue
    const all = Buffer.concat(pending)
    yield all.subarray(0, partBytes)
    pending = [all.subarray(partBytes)]
    bytes = all.length - partBytes
  }
  if (bytes > 0) yield Buffer.concat(pending)
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.message || error.name).replace(/\.$/, '') : String(error)
}
