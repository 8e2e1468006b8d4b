import { openAsBlob } from 'node:fs'
import type { Readable } from 'node:stream'
import { withTimeout } from '@papermoon/db'
import { type BucketItem, Client } from 'minio'
import type { Logger } from 'pino'
import type { S3Config } from '../config.ts'
import {
  FileTooLargeError,
  type ListedObject,
  type ListRange,
  type LocalFile,
  type ObjectFolder,
  type ObjectName,
  type ObjectStore,
  toStorageError,
} from './object-store.ts'

const ANSWER_MAX_MS = 15_000
/** Max time for storing a file of 5 MB, in seconds. */
const STORE_MAX_S = 30

/** Stores objects in a bucket of an S3 server, such as MinIO. Creates the bucket if it is missing. */
export class S3Store implements ObjectStore {
  readonly #config: S3Config
  readonly #log: Logger
  readonly #client: Client
  #bucket: Promise<void> | undefined

  /** Creates a store. The store does not connect until it is used. */
  constructor(config: S3Config, log: Logger) {
    this.#config = config
    this.#log = log
    this.#client = createS3Client(config)
  }

  async prepare(): Promise<void> {
    await this.#run(async () => {})
  }

  /**
   * Streams the file with one presigned PUT. Avoid the client's `putObject`, because it would load the file into
   * memory.
   */
  async store(name: ObjectName, { path }: LocalFile): Promise<void> {
    await this.#run(async () => {
      const url = await this.#client.presignedPutObject(this.#config.bucket, name, STORE_MAX_S)
      const body = await openAsBlob(path)
      const signal = AbortSignal.timeout(STORE_MAX_S * 1_000)
      const answer = await fetch(url, { method: 'PUT', body, redirect: 'error', signal })
      await answer.body?.cancel()
      if (!answer.ok) throw new Error(`S3 responded to a PUT with ${answer.status}`)
    }, STORE_MAX_S * 1_000)
  }

  async read(name: ObjectName, bytesMax: number): Promise<Buffer | null> {
    const { bucket } = this.#config
    return await this.#run(async () => {
      try {
        const { size } = await this.#client.statObject(bucket, name)
        if (size > bytesMax) throw new FileTooLargeError()
        return await readBytes(await this.#client.getObject(bucket, name), bytesMax)
      } catch (error) {
        if (isMissingObject(error)) return null
        throw error
      }
    })
  }

  async write(name: ObjectName, bytes: Buffer, type: string): Promise<void> {
    await this.#run(() =>
      this.#client.putObject(this.#config.bucket, name, bytes, bytes.length, { 'Content-Type': type }),
    )
  }

  async remove(name: string): Promise<void> {
    await this.#run(() => this.#client.removeObject(this.#config.bucket, name))
  }

  async list(folder: ObjectFolder, { after, most }: ListRange): Promise<ListedObject[]> {
    return await this.#run(async () => {
      const listed: ListedObject[] = []
      const items: AsyncIterable<BucketItem> = this.#client.listObjectsV2(this.#config.bucket, folder, true, after)
      for await (const { name, lastModified } of items) {
        if (name !== undefined && name > after) listed.push({ name, modifiedAt: lastModified ?? new Date() })
        if (listed.length >= most) break
      }
      return listed
    })
  }

  /** Runs work on the bucket. Throws `StorageAwayError` if S3 fails or does not respond in time. */
  async #run<T>(work: () => Promise<T>, answerMaxMs = ANSWER_MAX_MS): Promise<T> {
    try {
      return await withTimeout(this.#makeBucket().then(work), answerMaxMs)
    } catch (error) {
      // At the next call, check again whether the bucket exists, because someone may have removed it.
      this.#bucket = undefined
      throw toStorageError(error, this.#log)
    }
  }

  #makeBucket(): Promise<void> {
    this.#bucket ??= makeBucket(this.#client, this.#config)
    return this.#bucket
  }
}

async function readBytes(stream: Readable, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length
    // Check the size again, because someone may have replaced the object since `statObject`.
    if (bytes > bytesMax) throw new FileTooLargeError()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export function createS3Client(config: Omit<S3Config, 'bucket'>): Client {
  const { hostname, port, protocol } = new URL(config.endpoint)
  return new Client({
    endPoint: hostname.replace(/^\[|\]$/g, ''),
    useSSL: protocol === 'https:',
    ...(port !== '' && { port: Number(port) }),
    accessKey: config.accessKey,
    secretKey: config.secretKey,
    region: config.region,
    // Disable the client's retries, because callers retry themselves, and the client would log its retries to the
    // console.
    retryOptions: { disableRetry: true },
  })
}

/** Creates the bucket if it is missing. */
export async function makeBucket(client: Client, { bucket, region }: S3Config): Promise<void> {
  if (await client.bucketExists(bucket)) return
  await client.makeBucket(bucket, region).catch((error: unknown) => {
    // Ignore the error if another node created the bucket meanwhile.
    if (getErrorCode(error) !== 'BucketAlreadyOwnedByYou') throw error
  })
}

/** Returns whether S3 responded that the object does not exist. */
export function isMissingObject(error: unknown): boolean {
  return getErrorCode(error) === 'NoSuchKey' || getErrorCode(error) === 'NotFound'
}

function getErrorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
