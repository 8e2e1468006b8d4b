import { buffer } from 'node:stream/consumers'
import { TimeoutError, withTimeout } from '@papermoon/db'
import type { BucketItem, Client } from 'minio'
import type { S3Config } from '../../config.ts'
import { createS3Client, isMissingObject, makeBucket } from '../../storage/s3-store.ts'
import { BackupError } from './backup-error.ts'

/** Max time for a response in ms. A file of 32 MB takes two minutes at 2 Mbit/s. */
const ANSWER_MAX_MS = 300_000

/**
 * A BackupLocation below a prefix in a bucket of an S3 server, such as MinIO. The bucket's policy decides who can read
 * the files.
 */
export class S3Location {
  readonly label: string
  readonly #config: S3Config
  readonly #prefix: string
  readonly #client: Client

  constructor(label: string, config: S3Config, prefix: string) {
    this.label = label
    this.#config = config
    this.#prefix = prefix.replace(/\/*$/, prefix === '' ? '' : '/')
    this.#client = createS3Client(config)
  }

  async prepare(): Promise<void> {
    await this.#run(() => makeBucket(this.#client, this.#config))
  }

  async write(path: string, bytes: Buffer): Promise<void> {
    const { bucket } = this.#config
    await this.#run(() => this.#client.putObject(bucket, `${this.#prefix}${path}`, bytes, bytes.length))
  }

  async read(path: string): Promise<Buffer | null> {
    return await this.#run(async () => {
      try {
        return await buffer(await this.#client.getObject(this.#config.bucket, `${this.#prefix}${path}`))
      } catch (error) {
        if (isMissingObject(error)) return null
        throw error
      }
    })
  }

  async list(folder: string): Promise<string[]> {
    const prefix = folder === '' ? this.#prefix : `${this.#prefix}${folder}/`
    const items = await this.#find(prefix, false)
    return items.map((item) => (item.name ?? item.prefix ?? '').slice(prefix.length).replace(/\/$/, '')).sort()
  }

  async remove(path: string): Promise<void> {
    for (const { name = '' } of await this.#find(`${this.#prefix}${path}`, true)) {
      await this.#run(() => this.#client.removeObject(this.#config.bucket, name))
    }
  }

  async #find(prefix: string, isDeep: boolean): Promise<BucketItem[]> {
    return await this.#run(async () => {
      const items: BucketItem[] = []
      const listed: AsyncIterable<BucketItem> = this.#client.listObjectsV2(this.#config.bucket, prefix, isDeep)
      for await (const item of listed) items.push(item)
      return items
    })
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await withTimeout(work(), ANSWER_MAX_MS)
    } catch (error) {
      const isOfS3 = error instanceof TimeoutError || error instanceof AggregateError
      if (!isOfS3 && !(error instanceof Error && (error.name === 'S3Error' || 'syscall' in error))) throw error
      const why = error instanceof AggregateError ? error.errors.map(String).join('; ') : error.message || error.name
      throw new BackupError(`${this.label} cannot be used: ${why.replace(/\.$/, '')}.`, { cause: error })
    }
  }
}
