import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { FileStore } from './file-store.ts'
import type { ObjectStore } from './object-store.ts'
import { S3Store } from './s3-store.ts'

/** The bucket that the settings name, else a folder of files under the data folder. */
export function createObjectStore({ s3, dataDir }: Config, log: Logger): ObjectStore {
  return s3 === null ? new FileStore(join(dataDir, 'objects'), log) : new S3Store(s3, log)
}
