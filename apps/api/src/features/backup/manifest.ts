import { z } from 'zod'
import { BackupError } from './backup-error.ts'
import type { Vault } from './vault.ts'

/** Version of the layout; raised when an older build could not restore a backup. */
export const FORMAT = 2
const FILE = 'manifest.json'
const ID = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/

const moment = z.iso.datetime().transform((text) => new Date(text))
const audited = z.object({ trades: z.number(), tokens: z.number(), players: z.number(), differences: z.number() })

const manifest = z.object({
  format: z.literal(FORMAT),
  /** Every commit before it is in the backup. By the database's clock, as all moments here. */
  at: moment,
  migrations: z.array(z.string()),
  /** Stored bytes of the database, and as they are unpacked. */
  bytes: z.number(),
  plainBytes: z.number(),
  /** Pictures of the place that no player used then. */
  unusedPictures: z.array(z.string()),
  /** Result of the audit of the restored copy; null if it was not restored. */
  verified: audited.nullable(),
  /** A copy of the embedded server's files; null for a logical export. */
  base: z
    .object({
      parts: z.number(),
      password: z.string(),
      /** The folder below `wal/` with the log after it, and the first file of it that is needed; null if none is archived. */
      archive: z.string().nullable(),
      firstLog: z.string(),
    })
    .nullable(),
  /** A logical export. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), parts: z.number() })),
  sequences: z.array(z.object({ name: z.string(), lastValue: z.string() })),
})

export type Audited = z.output<typeof audited>
/** Content of `manifest.json`; it is written last. */
export type Manifest = z.output<typeof manifest>

export interface Backup {
  /** Its folder in the place, named by when it began; sorts by time. */
  readonly id: string
  readonly manifest: Manifest
}

export function createBackupId(at: Date): string {
  return at.toISOString().replaceAll(/[:.]/g, '-')
}

/** Whether a name is that of a backup's folder. */
export function isBackupId(text: string): boolean {
  return ID.test(text)
}

export async function writeManifest(vault: Vault, { id, manifest: value }: Backup): Promise<void> {
  await vault.write(`${id}/${FILE}`, Buffer.from(JSON.stringify(value, null, 1)))
}

/** Ids of all backups, also of unfinished ones, the newest first. */
export async function listBackupIds(vault: Vault): Promise<string[]> {
  return (await vault.place.list('')).filter(isBackupId).reverse()
}

/** The complete backups, the newest first. */
export async function* listBackups(vault: Vault): AsyncIterable<Backup> {
  for (const id of await listBackupIds(vault)) {
    const backup = await findBackup(vault, id)
    if (backup !== null) yield backup
  }
}

export async function findNewestBackup(vault: Vault): Promise<Backup | null> {
  for await (const backup of listBackups(vault)) return backup
  return null
}

/** Null if it is not complete. Throws BackupError if it is damaged, encrypted with another key, or of a newer version. */
export async function findBackup(vault: Vault, id: string): Promise<Backup | null> {
  const bytes = await vault.find(`${id}/${FILE}`)
  if (bytes === null) return null
  const json = parseJson(bytes.toString('utf8'))
  const format = z.object({ format: z.number() }).safeParse(json)
  if (format.success && format.data.format > FORMAT) {
    throw new BackupError(`The backup ${id} was made by a newer Papermoon; restore it with that version.`)
  }
  const parsed = manifest.safeParse(json)
  if (!parsed.success) throw new BackupError(`${id}/${FILE} is damaged.`)
  return { id, manifest: parsed.data }
}

/** Removes the manifest first: what is left of a backup without it does not count. */
export async function removeBackup(vault: Vault, id: string): Promise<void> {
  await vault.remove(`${id}/${FILE}`)
  await vault.place.remove(id)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
