import { findSegmentStart, formatSegmentName, parseLsn, type WalSource } from '@papermoon/db/backup'
import { z } from 'zod'
import { BackupError } from '../backup-error.ts'
import { type Backup, listBackupIds, type PhysicalManifest, readBackup } from '../manifest.ts'
import type { Vault } from '../place/vault.ts'

/** Where the archived WAL of a backup ends. */
const reachedFile = z.object({ at: z.iso.datetime().transform((text) => new Date(text)), lsn: z.string() })
export type Reached = z.output<typeof reachedFile>

export const toWalFolder = (id: string): string => `${id}/wal/`
export const REACHED = 'reached.json'

export interface Chosen {
  readonly backup: Backup
  /** WAL after the backup; null if there is none. */
  readonly wal: WalSource | null
  /** The moment to stop at; null for everything there is. */
  readonly until: Date | null
  /** Every commit before it is restored. */
  readonly reaches: Date
}

/** Chooses the backup of `id`, else the newest one, that holds the moment `at`, else the latest. Throws BackupError. */
export async function chooseBackup(
  vault: Vault,
  { id, at }: { readonly id: string | null; readonly at: Date | null },
): Promise<Chosen> {
  const ids = id === null ? await listBackupIds(vault) : [id]
  let nearest: Date | null = null
  for (const candidate of ids) {
    const backup = await readBackup(vault, candidate)
    const chosen = await toChosen(vault, backup, at)
    if (chosen !== null) return chosen
    if (at !== null && backup.manifest.at <= at) {
      const reached = (await readReached(vault, candidate))?.at ?? backup.manifest.at
      if (nearest === null || reached > nearest) nearest = reached
    }
  }
  if (at === null || ids.length === 0) throw new BackupError(`There is no complete backup in ${vault.place.label}.`)
  if (nearest === null) {
    const oldest = await readBackup(vault, ids.at(-1) ?? '')
    throw new BackupError(
      `${at.toISOString()} is before the oldest backup, which holds ${oldest.manifest.at.toISOString()}.`,
    )
  }
  throw new BackupError(
    `${at.toISOString()} is later than what the backups hold: the last moment before it is ${nearest.toISOString()}.`,
  )
}

/** Null if the backup does not hold the moment. */
async function toChosen(vault: Vault, backup: Backup, at: Date | null): Promise<Chosen | null> {
  const { id, manifest } = backup
  const reached = manifest.kind === 'physical' ? await readReached(vault, id) : null
  const reaches = reached?.at ?? manifest.at
  if (at !== null && (at < manifest.at || at > reaches)) return null
  const hasWal = manifest.kind === 'physical' && reached !== null
  const wal = hasWal ? await openWal(vault, id, manifest, { reached, isBounded: at !== null }) : null
  // A backup without WAL holds one moment.
  return { backup, wal, until: hasWal ? at : null, reaches: at ?? reaches }
}

export async function readReached(vault: Vault, id: string): Promise<Reached | null> {
  const [file] = await vault.place.list(`${toWalFolder(id)}${REACHED}`)
  if (file === undefined) return null
  const text = (await vault.readAll(file.name)).toString('utf8')
  const parsed = reachedFile.safeParse(JSON.parse(text))
  if (!parsed.success) throw new BackupError(`${file.name} is damaged.`)
  return parsed.data
}

interface WalRange {
  readonly reached: Reached
  /** Whether recovery stops before the end: then a missing file may be after that. */
  readonly isBounded: boolean
}

async function openWal(
  vault: Vault,
  id: string,
  manifest: PhysicalManifest,
  { reached, isBounded }: WalRange,
): Promise<WalSource> {
  const folder = toWalFolder(id)
  const files = new Map<string, string>()
  for (const { name } of await vault.place.list(folder)) files.set(vault.toPlainName(name.slice(folder.length)), name)
  const names: string[] = []
  for (const name of listNeeded(manifest, reached)) {
    if (!files.has(name) && !files.has(`${name}.partial`)) {
      if (!isBounded) throw new BackupError(`The WAL file ${name} is missing; restore to a moment before it with --at.`)
      return toSource(vault, { files, names, manifest, missing: name })
    }
    names.push(name)
  }
  return toSource(vault, { files, names, manifest, missing: null })
}

/** Names of the segments from the backup's end to what was reached. */
function listNeeded({ end, timeline, segmentBytes }: PhysicalManifest, reached: Reached): string[] {
  const names: string[] = []
  const until = parseLsn(reached.lsn)
  const step = BigInt(segmentBytes)
  for (let at = findSegmentStart(parseLsn(end), segmentBytes); at < until; at += step) {
    names.push(formatSegmentName(timeline, at, segmentBytes))
  }
  return names
}

interface WalFiles {
  /** Stored names by plain names. */
  readonly files: ReadonlyMap<string, string>
  readonly names: readonly string[]
  readonly manifest: PhysicalManifest
  readonly missing: string | null
}

function toSource(vault: Vault, { files, names, manifest: { segmentBytes }, missing }: WalFiles): WalSource {
  return {
    names,
    missing,
    read: async (name) => {
      const whole = files.get(name)
      const stored = whole ?? files.get(`${name}.partial`)
      if (stored === undefined) throw new BackupError(`The WAL file ${name} is missing.`)
      const bytes = await vault.readAll(stored)
      if (whole !== undefined && bytes.length !== segmentBytes) throw new BackupError(`${stored} is cut off.`)
      // PostgreSQL reads whole segments; zeros end the WAL.
      return Buffer.concat([bytes, Buffer.alloc(Math.max(0, segmentBytes - bytes.length))])
    },
  }
}
