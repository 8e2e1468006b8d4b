import type { Readable } from 'node:stream'

export interface PlaceFile {
  /** Relative to the place, with slashes. */
  readonly name: string
  readonly bytes: number
  readonly modifiedAt: Date
}

/** Where backups are kept: a folder or a part of an S3 bucket. All methods throw BackupError. */
export interface BackupPlace {
  /** The place as the operator wrote it. */
  readonly label: string
  /** Creates it if missing. */
  prepare(): Promise<void>
  /** The file appears once it is complete, and replaces an earlier one. Only the owner can read it. */
  write(name: string, content: Readable): Promise<void>
  /** Null if there is no such file. */
  read(name: string): Promise<Readable | null>
  /** The files whose names begin with the prefix, sorted by name. */
  list(prefix: string): Promise<PlaceFile[]>
  remove(name: string): Promise<void>
}
