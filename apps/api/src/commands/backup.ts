import type { DatabaseClient } from '@papermoon/db'
import { pino } from 'pino'
import { loadConfig } from '../config.ts'
import { asOnlyBackup } from '../features/backup/backup-lock.ts'
import type { Manifest } from '../features/backup/manifest.ts'
import { verifyAside } from '../features/backup/restore/verify-aside.ts'
import { takeBackup } from '../features/backup/take/take-backup.ts'
import { createObjectStore } from '../storage/create-object-store.ts'
import { auditCopy, describeAudit } from './backup/audit-copy.ts'
import { openVault } from './backup/open-vault.ts'
import { UsageError } from './command-error.ts'
import { parseArguments } from './parse-arguments.ts'
import type { CommandContext, ExitCode } from './run-command.ts'

export const usage = `Usage: papermoon backup TO [--logical]

Backs up the database and the pictures of a running or stopped server, restores the backup aside and audits it.
TO is a folder or s3://BUCKET/FOLDER; BACKUP_TO if it is left out. BACKUP_KEY encrypts the backup.
--logical copies rows instead of PostgreSQL's files: smaller, restores into any version, but only its own moment.`

/** One holds the lock. */
export const BACKUP_CONNECTIONS = 3

export async function run(context: CommandContext, args: readonly string[]): Promise<ExitCode> {
  const options = { logical: { type: 'boolean', default: false } } as const
  const { values, positionals } = parseArguments(args, options, usage)
  const [to, ...more] = positionals
  if (more.length > 0) throw new UsageError(usage)
  const open = () => context.openDatabase(BACKUP_CONNECTIONS)
  const { verified } = await backUp(context, { to, isLogical: values.logical, open })
  return (verified?.differences ?? 0) === 0 ? 0 : 1
}

export interface WantedBackup {
  /** BACKUP_TO without it. */
  readonly to: string | undefined
  readonly isLogical: boolean
  /** Opens the database, once the place is known to take a backup. */
  open(): Promise<DatabaseClient>
}

/** Takes a backup, restores it aside and audits the copy. */
export async function backUp({ say }: CommandContext, { to, isLogical, open }: WantedBackup): Promise<Manifest> {
  const config = loadConfig()
  const place = to ?? config.backup.to
  if (place === null || place.trim() === '')
    throw new UsageError('A backup needs a place: a folder, or s3://BUCKET/FOLDER.')
  const vault = await openVault(place, config)
  await vault.place.prepare()
  const database = await open()
  const objects = await createObjectStore(config, pino({ level: 'silent' }))
  const source = { database, objects, isEmbedded: config.databaseUrl === null }
  const { id, manifest } = await asOnlyBackup(database.pool, (signal) =>
    takeBackup(source, vault, {
      signal,
      isLogical,
      say,
      verify: (taken) => {
        say('Restoring it aside, to audit it …')
        return verifyAside(vault, taken, { dataDir: config.dataDir, audit: auditCopy })
      },
    }),
  )
  if (manifest.verified !== null) say(`Audit of the restored copy: ${describeAudit(manifest.verified)}`)
  const kind = manifest.kind === 'physical' ? 'backup' : 'logical export'
  say(`The ${vault.isSealed ? 'encrypted ' : ''}${kind} ${id} is in ${place}.`)
  return manifest
}
