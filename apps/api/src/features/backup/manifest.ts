import type { LogPosition } from '@papermoon/db/backup'
import { z } from 'zod'
import { parseJson } from '../../lib/text.ts'
import { UnreadableError } from './backup-error.ts'
import type { Vault } from './vault.ts'

/**
 * Version of the backups' layout. Raise this version when an earlier version of Papermoon cannot restore a new backup.
 */
export const FORMAT = 3
const FILE = 'manifest.json'
/**
 * Matches names of the database's files: a copy of the data folder, files of its log, or exported rows. A restore
 * creates files with these names.
 */
const DATABASE_FILE = /^(?:base\.tar|wal\/[0-9A-F]{24}|(?:fairs\.)?\w+\.copy)$/
const PICTURES_FOLDER = /^pictures(?:-[0-9a-f]{8})?$/
const PICTURE = /^pictures\/[0-9a-f]{64}\.webp$/
const ID = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/

const audited = z.object({ trades: z.number(), tokens: z.number(), players: z.number(), differences: z.number() })

/** A position in the database's log, and its time. */
const storedPosition = z.object({
  system: z.string(),
  timeline: z.number(),
  lsn: z.number(),
  at: z.iso.datetime().transform((text) => new Date(text)),
})

const manifest = z.object({
  format: z.literal(FORMAT),
  id: z.string(),
  /** The backup contains every commit up to this position. */
  position: storedPosition,
  migrations: z.array(z.string()),
  /** Size of the database's files in bytes, compressed and uncompressed. */
  bytes: z.number(),
  plainBytes: z.number(),
  /** The database's files, with the SHA-256 of each stored part. */
  files: z.record(z.string().regex(DATABASE_FILE), z.array(z.string())),
  /** The folder that contains the backup's pictures. */
  pictures: z.string().regex(PICTURES_FOLDER).default('pictures'),
  /** Pictures in the folder that no player used when the backup was taken. */
  unusedPictures: z.array(z.string().regex(PICTURE)),
  /** Result of the audit of the restored copy; null if no copy was restored. */
  verified: audited.nullable(),
  /** A copy of the embedded server's files; null for a logical export. */
  base: z
    .object({
      password: z.string(),
      label: z.string(),
      /** The last log file in the copy. If later log files exist, also their folder below `wal/`. */
      lastLog: z.string(),
      archive: z.string().nullable(),
    })
    .nullable(),
  /** The exported tables of a logical export. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  sequences: z.array(z.object({ name: z.string(), lastValue: z.string() })),
})

export type Audited = z.output<typeof audited>
/** Content of `manifest.json`. A backup is complete when this file has been written, because it is written last. */
export type Manifest = z.output<typeof manifest>

export function createBackupId(at: Date): string {
  return at.toISOString().replaceAll(/[:.]/g, '-')
}

/** Returns whether a text is the name of a backup's folder. */
export function isBackupId(text: string): boolean {
  return ID.test(text)
}

/** Returns whether a text is the name of a folder with pictures. */
export function isPicturesFolder(text: string): boolean {
  return PICTURES_FOLDER.test(text)
}

export async function writeManifest(vault: Vault, value: Manifest): Promise<void> {
  await vault.write(`${value.id}/${FILE}`, Buffer.from(JSON.stringify(value, null, 1)))
}

export interface FoundBackups {
  /** The complete backups, latest first. */
  readonly backups: readonly Manifest[]
  /** The backups that cannot be read, with the reasons. */
  readonly unreadable: readonly UnreadableError[]
  /** The folders without a manifest. */
  readonly unfinished: readonly string[]
}

export async function listBackups(vault: Vault): Promise<FoundBackups> {
  const found = { backups: [] as Manifest[], unreadable: [] as UnreadableError[], unfinished: [] as string[] }
  for (const id of (await vault.location.list('')).filter(isBackupId)) {
    try {
      const backup = await findBackup(vault, id)
      if (backup === null) found.unfinished.push(id)
      else found.backups.push(backup)
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error
      found.unreadable.push(error)
    }
  }
  found.backups.sort((one, other) => comparePositions(other.position, one.position))
  return found
}

/**
 * Compares two positions in the log. The result is positive if the first position is later. Comparing times would be
 * unsafe, because a clock may have been set back.
 */
export function comparePositions(one: LogPosition, other: LogPosition): number {
  if (one.system !== other.system) return one.at.getTime() - other.at.getTime()
  return one.timeline - other.timeline || one.lsn - other.lsn
}

/**
 * Finds a backup. Returns null if the backup is not complete. Throws UnreadableError if the backup is damaged,
 * encrypted with another key, or has another version.
 */
export async function findBackup(vault: Vault, id: string): Promise<Manifest | null> {
  const bytes = await vault.find(`${id}/${FILE}`)
  if (bytes === null) return null
  const json = parseJson(bytes.toString('utf8'))
  const format = z.object({ format: z.number() }).safeParse(json)
  if (format.success && format.data.format !== FORMAT) {
    throw new UnreadableError(`The backup ${id} was made by another version of Papermoon; restore it with that one.`)
  }
  const parsed = manifest.safeParse(json)
  if (!parsed.success || parsed.data.id !== id) throw new UnreadableError(`${id}/${FILE} is damaged.`)
  return parsed.data
}

/** Removes a backup. The manifest is removed first, because a backup without a manifest does not count. */
export async function removeBackup(vault: Vault, id: string): Promise<void> {
  await vault.remove(`${id}/${FILE}`)
  await vault.location.remove(id)
}

/** Parses a position; returns null if the bytes contain no position. */
export function parsePosition(bytes: Buffer): LogPosition | null {
  return storedPosition.safeParse(parseJson(bytes.toString('utf8'))).data ?? null
}
