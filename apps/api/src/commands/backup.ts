import type { DatabaseClient } from '@papermoon/db'
import { pino } from 'pino'
import { type Config, loadConfig } from '../config.ts'
import { runAudit } from '../features/audit/run-audit.ts'
import { asOnlyBackup } from '../features/backup/keep-backups.ts'
import { openLocation } from '../features/backup/location.ts'
import type { Audited, Manifest } from '../features/backup/manifest.ts'
import { verifyAside } from '../features/backup/restore.ts'
import { takeBackup } from '../features/backup/take-backup.ts'
import { Vault } from '../features/backup/vault.ts'
import { counted } from '../lib/text.ts'
import { createObjectStore } from '../storage/create-object-store.ts'
import { type CommandContext, type ExitCode, parseArguments, UsageError } from './run-command.ts'

export const usage = `Usage: papermoon backup TO [--logical]

Backs up the database and the pictures of a running or stopped server, restores the backup aside and audits it.
TO is a folder or s3://BUCKET/FOLDER; BACKUP_TO if it is left out. BACKUP_KEY encrypts the backup.
--logical copies rows instead of PostgreSQL's files. It is smaller and restores into any version, but only to its own moment.
It is the only way to back up a PostgreSQL of your own.`

/** Number of database connections for a backup. One of the connections holds the lock. */
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
  /** Where to store the backup. If undefined, the backup goes to BACKUP_TO. */
  readonly to: string | undefined
  readonly isLogical: boolean
  /** Opens the database, after checking that the destination accepts a backup. */
  open(): Promise<DatabaseClient>
}

/** Takes a backup, restores it to a separate database and audits that copy. */
export async function backUp({ say }: CommandContext, { to, isLogical, open }: WantedBackup): Promise<Manifest> {
  const config = loadConfig()
  const location = to ?? config.backup.to
  if (location === null || location.trim() === '')
    throw new UsageError('Name a destination for the backup: a folder, or s3://BUCKET/FOLDER.')
  const vault = await openVault(location, config)
  await vault.location.prepare()
  const source = await openBackupSource(config, await open())
  const manifest = await asOnlyBackup(source.database.pool, (signal) =>
    takeBackup(source, vault, {
      signal,
      isLogical,
      say,
      verify: (taken) => {
        say('Restoring a copy of it to audit …')
        return verifyAside(vault, taken, config.dataDir, auditCopy)
      },
    }),
  )
  if (manifest.verified !== null) say(`Audit of the restored copy: ${describeAudit(manifest.verified)}`)
  const kind = manifest.base === null ? 'logical export' : 'backup'
  say(`The ${vault.isEncrypted ? 'encrypted ' : ''}${kind} ${manifest.id} is in ${location}.`)
  return manifest
}

export async function openVault(location: string, config: Config): Promise<Vault> {
  return new Vault(await openLocation(location, config), config.backup.keys)
}

export async function openBackupSource(config: Config, database: DatabaseClient) {
  const objects = await createObjectStore(config, pino({ level: 'silent' }))
  return { database, objects, dataDir: config.dataDir, isEmbedded: config.databaseUrl === null }
}

/** Audits a restored database. The audit of the copy is not stored as an audit of the market. */
export async function auditCopy(database: DatabaseClient): Promise<Audited> {
  const { trades, tokens, players, differences } = await runAudit(database)
  return { trades, tokens, players, differences }
}

export function describeAudit({ trades, tokens, players, differences }: Audited): string {
  const finding = differences === 0 ? 'every sum is exact' : counted(differences, 'difference')
  return `${counted(tokens, 'token')}, ${counted(trades, 'trade')}, ${counted(players, 'player')}: ${finding}`
}
