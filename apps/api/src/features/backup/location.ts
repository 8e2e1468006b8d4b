import { mkdir, open, readdir, readFile, rename, rm, statfs, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { TimeoutError, withTimeout } from '@papermoon/db'
import type { Config } from '../../config.ts'
import { nullIfMissing } from '../../storage/file-store.ts'
import { BackupError } from './backup-error.ts'

/** A destination for backups: a folder or a part of an S3 bucket. All methods of a location throw BackupError. */
export interface BackupLocation {
  /** The destination as the operator wrote it. */
  readonly label: string
  /** Creates the destination if it is missing. */
  prepare(): Promise<void>
  /** Writes a file. The file appears in the folder only when it is complete. Only the owner can read the file. */
  write(path: string, bytes: Buffer): Promise<void>
  /** Reads a file; returns null if there is no such file. */
  read(path: string): Promise<Buffer | null>
  /** Lists the names of the files and folders in a folder, sorted. */
  list(folder: string): Promise<string[]>
  /** Removes a file, or a folder with everything in it. */
  remove(path: string): Promise<void>
}

/** Opens `s3://BUCKET/PREFIX` or a folder. */
export async function openLocation(text: string, config: Pick<Config, 'backup'>): Promise<BackupLocation> {
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(text) ?? []
  if (bucket !== undefined) {
    const { s3 } = config.backup
    if (s3 === null) throw new BackupError(`${text} needs BACKUP_S3_URL, or the S3_URL of pictures.`)
    // Load the S3 client only when it is used, because it makes up a tenth of all modules.
    const { S3Location } = await import('./s3-location.ts')
    return new S3Location(text, { ...s3, bucket }, prefix)
  }
  if (/^[a-z][a-z0-9+]*:\/\//i.test(text)) {
    throw new BackupError(`Backups go to a folder or to s3://BUCKET/FOLDER, and ${text} is neither.`)
  }
  return new FolderLocation(resolve(text))
}

/** Min free disk space in bytes. The market may use the same disk, and PostgreSQL stops when that disk is full. */
export const ROOM_BYTES_MIN = 256 * 1_048_576
const DRAFT = '.draft'
/** How long to wait for a folder in ms, because a network folder may hang for ever. */
const ANSWERS_WITHIN_MS = 600_000

export class FolderLocation implements BackupLocation {
  readonly label: string
  readonly #answersWithinMs: number

  constructor(folder: string, answersWithinMs = ANSWERS_WITHIN_MS) {
    this.label = folder
    this.#answersWithinMs = answersWithinMs
  }

  async prepare(): Promise<void> {
    await this.#run(async () => {
      await mkdir(this.label, { recursive: true, mode: 0o700 })
      await this.#assertRoom(0)
    })
  }

  async write(path: string, bytes: Buffer): Promise<void> {
    await this.#run(async () => {
      const file = join(this.label, path)
      await mkdir(dirname(file), { recursive: true, mode: 0o700 })
      await this.#assertRoom(bytes.length)
      await writeFile(`${file}${DRAFT}`, bytes, { mode: 0o600, flush: true })
      await rename(`${file}${DRAFT}`, file)
      // Also sync the folder, because only then does a renamed file survive a power cut.
      await using folder = await open(dirname(file))
      await folder.sync()
    })
  }

  async read(path: string): Promise<Buffer | null> {
    return await this.#run(() => readFile(join(this.label, path)).catch(nullIfMissing))
  }

  async list(folder: string): Promise<string[]> {
    const names = await this.#run(async () => (await readdir(join(this.label, folder)).catch(nullIfMissing)) ?? [])
    return names.filter((name) => !name.endsWith(DRAFT)).sort()
  }

  async remove(path: string): Promise<void> {
    await this.#run(() => rm(join(this.label, path), { recursive: true, force: true }))
  }

  async #assertRoom(bytes: number): Promise<void> {
    if ((await readRoom(this.label)) - bytes < ROOM_BYTES_MIN) throw toNoRoom(this.label)
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await withTimeout(work(), this.#answersWithinMs)
    } catch (error) {
      throw toBackupError(error, this.label)
    }
  }
}

function toBackupError(error: unknown, folder: string): unknown {
  if (error instanceof TimeoutError) return new BackupError(`The folder ${folder} does not respond.`)
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'ENOSPC' || code === 'EDQUOT') return toNoRoom(folder)
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new BackupError(`This user may not read or write in ${folder}.`)
  }
  return code === 'ENOTDIR' || code === 'EEXIST' ? new BackupError(`${folder} is not a folder.`) : error
}

function toNoRoom(folder: string): BackupError {
  return new BackupError(`The disk of ${folder} is full (256 MB stay free for the market).`)
}

/** Returns the free bytes on a folder's disk. */
export async function readRoom(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
