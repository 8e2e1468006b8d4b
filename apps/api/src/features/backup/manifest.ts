import { z } from 'zod'
import { BackupError } from './backup-error.ts'
import type { Vault } from './place/vault.ts'

/** Version of the layout below; raised when an older build could not restore a backup. */
export const FORMAT = 1
const FILE = 'backup.json'
const ID = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/

const storedFile = z.object({ name: z.string(), bytes: z.number(), sha256: z.string() })
const moment = z.iso.datetime().transform((text) => new Date(text))

const audited = z.object({ trades: z.number(), tokens: z.number(), players: z.number(), differences: z.number() })

const physical = z.object({
  kind: z.literal('physical'),
  /** PostgreSQL's major version. */
  postgres: z.number(),
  systemId: z.string(),
  timeline: z.number(),
  segmentBytes: z.number(),
  /** WAL positions. */
  start: z.string(),
  end: z.string(),
  /** Whether the server is Papermoon's embedded one; then its password is in `password`. */
  isEmbedded: z.boolean(),
  role: z.string(),
  database: z.string(),
  base: storedFile,
  password: storedFile.nullable(),
})

const logical = z.object({
  kind: z.literal('logical'),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), file: storedFile })),
  sequences: z.array(z.object({ name: z.string(), lastValue: z.string(), isCalled: z.boolean() })),
})

const common = z.object({
  format: z.literal(FORMAT),
  /** Every commit before it is in the backup. By the database's clock, as all moments here. */
  at: moment,
  startedAt: moment,
  migrations: z.array(z.string()),
  /** Bytes of the database, unpacked. */
  plainBytes: z.number(),
  /** Pictures that the database refers to. */
  pictures: storedFile,
  /** Result of the audit of the restored copy; null if it was not restored. */
  verified: audited.nullable(),
})

const manifest = z.discriminatedUnion('kind', [common.extend(physical.shape), common.extend(logical.shape)])

/** Content of `backup.json` for a complete backup; it is written last. */
export type Manifest = z.output<typeof manifest>
export type PhysicalManifest = Extract<Manifest, { readonly kind: 'physical' }>
export type LogicalManifest = Extract<Manifest, { readonly kind: 'logical' }>

/** Fields that one kind of backup adds to the manifest. */
export type Taken<Kind extends Manifest> = Omit<Kind, 'format' | 'startedAt' | 'migrations' | 'pictures' | 'verified'>

export interface Backup<Kind extends Manifest = Manifest> {
  /** Its folder in the place, named by when it began; sorts by time. */
  readonly id: string
  readonly manifest: Kind
}

export function createBackupId(at: Date): string {
  return at.toISOString().replaceAll(/[:.]/g, '-')
}

/** Whether a name is that of a backup's folder. */
export function isBackupId(text: string): boolean {
  return ID.test(text)
}

export async function writeManifest(vault: Vault, id: string, value: Manifest): Promise<void> {
  await vault.writeJson(`${id}/${FILE}`, value)
}

/** Ids of the complete backups in the place, the newest first. */
export async function listBackupIds(vault: Vault): Promise<string[]> {
  const ids = new Set<string>()
  for (const { name } of await vault.place.list('')) {
    const [id = '', file] = name.split('/')
    if (isBackupId(id) && file !== undefined && vault.toPlainName(file) === FILE) ids.add(id)
  }
  return [...ids].sort().reverse()
}

/** Reads one backup. Throws BackupError for one that is missing, damaged, encrypted with another key, or of a newer version. */
export async function readBackup(vault: Vault, id: string): Promise<Backup> {
  const files = await vault.place.list(`${id}/${FILE}`)
  const [file] = files
  if (file === undefined) throw new BackupError(`There is no complete backup ${id} in ${vault.place.label}.`)
  const json = parseJson((await vault.readAll(file.name)).toString('utf8'))
  const format = z.object({ format: z.number() }).safeParse(json)
  if (format.success && format.data.format > FORMAT) {
    throw new BackupError(`The backup ${id} was made by a newer Papermoon; restore it with that version.`)
  }
  const parsed = manifest.safeParse(json)
  if (!parsed.success) throw new BackupError(`${file.name} is damaged.`)
  return { id, manifest: parsed.data }
}

/** Bytes of the database's files as they are stored. */
export function countBytes(manifest: Manifest): number {
  const files = manifest.kind === 'physical' ? [manifest.base] : manifest.tables.map(({ file }) => file)
  return files.reduce((sum, { bytes }) => sum + bytes, 0)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export type Audited = z.output<typeof audited>
