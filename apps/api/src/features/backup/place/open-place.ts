import { resolve } from 'node:path'
import type { Config, S3Config } from '../../../config.ts'
import { BackupError } from '../backup-error.ts'
import type { BackupPlace } from './backup-place.ts'
import { FolderPlace } from './folder-place.ts'

/** Opens `s3://BUCKET/PREFIX` or a folder. */
export async function openPlace(text: string, config: Pick<Config, 'backup'>): Promise<BackupPlace> {
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(text) ?? []
  if (bucket !== undefined) {
    const { s3 } = config.backup
    if (s3 === null) {
      throw new BackupError(
        `${text} needs BACKUP_S3_ENDPOINT, BACKUP_S3_ACCESS_KEY and BACKUP_S3_SECRET_KEY, or the S3_… settings of pictures.`,
      )
    }
    return await openS3(text, { ...s3, bucket }, prefix)
  }
  if (/^[a-z][a-z0-9+]*:\/\//i.test(text)) {
    throw new BackupError(`Backups go to a folder or to s3://BUCKET/FOLDER, and ${text} is neither.`)
  }
  return new FolderPlace(resolve(text))
}

/** Loaded only when it is used: its client is a tenth of all modules. */
async function openS3(label: string, config: S3Config, prefix: string): Promise<BackupPlace> {
  const { S3Place } = await import('./s3-place.ts')
  return new S3Place({ label, config, prefix: prefix.replace(/\/+$/, '') })
}
