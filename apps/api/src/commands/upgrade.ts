import { type DatabaseClient, listMissingMigrations, migrateToLatest } from '@papermoon/db'
import { sql } from 'kysely'
import { counted } from '../lib/text.ts'
import { BACKUP_CONNECTIONS, backUp, type WantedBackup } from './backup.ts'
import { type CommandContext, CommandError, type ExitCode, parseArguments, UsageError } from './run-command.ts'

export const usage = `Usage: papermoon upgrade [TO] [--logical | --no-backup]

Migrates the database to this version, which must be installed already. Backs it up to TO (default: BACKUP_TO), migrates
and audits the copy, and only then migrates the database. First says which migrations there are, and whether servers can
keep running; if they cannot, it refuses while one runs. Changes nothing when there is nothing to migrate.
--logical as for papermoon backup. --no-backup skips the backup, for a database that is backed up in another way.`

export async function run(context: CommandContext, args: readonly string[]): Promise<ExitCode> {
  const flag = { type: 'boolean', default: false } as const
  const options = { logical: flag, 'no-backup': flag } as const
  const { values, positionals } = parseArguments(args, options, usage)
  const hasBackup = !values['no-backup']
  if (positionals.length > (hasBackup ? 1 : 0)) throw new UsageError(usage)
  const database = await context.connectDatabase(BACKUP_CONNECTIONS)
  const missing = await listMissingMigrations(database.db)
  if (missing.length === 0) {
    context.say('The database matches this version. There is nothing to migrate.')
    return 0
  }
  const needsPause = missing.some(({ isCompatible }) => !isCompatible)
  context.say(`To migrate: ${missing.map(({ name }) => name).join(', ')}.`)
  context.say(needsPause ? PAUSE : NO_PAUSE)
  if (needsPause) await assertNoServer(database)
  if (hasBackup)
    await backUpExactly(context, { to: positionals[0], isLogical: values.logical, open: async () => database })
  // Check again, because a server may have started during the backup.
  if (needsPause) await assertNoServer(database)
  const applied = await migrateToLatest(database.db)
  context.say(
    `${counted(applied.length, 'migration')} done. Start the servers of this version, then run papermoon audit.`,
  )
  return 0
}

const PAUSE = 'This needs a pause. Nobody can trade from now until a server of this version runs.'
const NO_PAUSE = 'This needs no pause. Servers of the previous version can keep running.'

async function backUpExactly(context: CommandContext, wanted: WantedBackup): Promise<void> {
  const { verified } = await backUp(context, wanted)
  if (verified?.differences === 0) return
  throw new CommandError('Nothing was migrated, because the audit of the migrated copy found differences.')
}

async function assertNoServer({ db }: DatabaseClient): Promise<void> {
  const { rows } = await sql<{ sessions: number }>`select count(*)::int as sessions from pg_stat_activity
    where datname = current_database() and application_name = 'papermoon'`.execute(db)
  if ((rows[0]?.sessions ?? 0) === 0) return
  throw new CommandError('Nothing was migrated, because a server still uses this database. Stop every server first.')
}
