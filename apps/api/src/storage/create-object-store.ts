import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { FileStore } from './file-store.ts'
import type { ObjectStore } from './object-store.ts'

/** Opens the bucket from the settings. If no bucket is configured, opens a folder in the data folder. */
export async function createObjectStore({ s3, dataDir }: Config, log: Logger): Promise<ObjectStore> {
  if (s3 === null) return new FileStore(join(dataDir, 'objects'), log)
  // Load the S3 client only if it is needed, because it makes up a tenth of all modules, and most servers do not use
  // S3.
  const { S3Store } = await import('./s3-store.ts')
  return new S3Store(s3, log)
}
