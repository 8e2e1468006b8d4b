import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { assertServerSupported } from './assert-server-fits.ts'
import { DatabaseIsNewerError, DatabaseIsOlderError } from './errors.ts'
import { migrations as ownMigrations } from './migrations/index.ts'
import type { Database } from './schema.ts'

/** Any fixed number, the same in every process of every version: it names the lock. */
const migrationLockId = 727_466_001
/**
 * Ends the name of a migration that builds without it can live with: it only adds indexes, or tables and columns with
 * defaults. The mark is part of the name because the name is all that an older build sees of a newer migration.
 */
const compatibleMark = '.compatible'

/**
 * Brings the schema up to the code's newest migration, all in one transaction, and returns the names it applied (none
 * when there was nothing to do). Processes that start together take turns on an advisory lock.
 *
 * Throws DatabaseDoesNotFitError, and DatabaseIsNewerError when the database has migrations that this code does not know,
 * unless all of them are marked as compatible and none of ours is missing: then nothing is applied.
 */
export async function migrateToLatest(
  db: Kysely<Database>,
  migrations: Record<string, Migration> = ownMigrations,
): Promise<string[]> {
  await assertServerSupported(db)
  return await db.connection().execute(async (connection) => {
    // Waiting for another process and rewriting a large table may both outlast the limits of ordinary statements.
    await sql`select set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false),
      set_config('idle_in_transaction_session_timeout', '0', false)`.execute(connection)
    await sql`select pg_advisory_lock(${sql.lit(migrationLockId)})`.execute(connection)
    try {
      return await runMigrations(connection, migrations)
    } finally {
      // If the connection broke, its lock went with it, and the first error is the one to tell.
      await restoreSession(connection).catch(() => {})
    }
  })
}

/**
 * For commands beside a server: the schema has to be the code's own already, or newer by compatible migrations only.
 * Throws DatabaseIsOlderError or DatabaseIsNewerError, and changes nothing.
 */
export async function assertMigrated(db: Kysely<Database>): Promise<void> {
  const { incompatible, missing } = await compareMigrations(db, ownMigrations)
  if (incompatible.length > 0) throw new DatabaseIsNewerError(incompatible)
  if (missing.length > 0) throw new DatabaseIsOlderError(missing)
}

async function runMigrations(db: Kysely<Database>, migrations: Record<string, Migration>): Promise<string[]> {
  const { unknown, incompatible, missing } = await compareMigrations(db, migrations)
  if (incompatible.length > 0) throw new DatabaseIsNewerError(incompatible)
  if (unknown.length > 0) {
    // Kysely refuses any unknown migration, so there is nothing to run; a build that added one had all of ours.
    if (missing.length > 0) throw new DatabaseIsNewerError(unknown)
    return []
  }
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error) throw error
  return results.map((result) => result.migrationName)
}

/**
 * Compares the database with `migrations`: which names it has beyond them, which of those are not marked as compatible,
 * and which of `migrations` it lacks.
 */
async function compareMigrations(db: Kysely<Database>, migrations: Record<string, Migration>) {
  const applied = await listAppliedMigrations(db)
  const unknown = applied.filter((name) => !(name in migrations))
  return {
    unknown,
    incompatible: unknown.filter((name) => !name.endsWith(compatibleMark)),
    missing: Object.keys(migrations).filter((name) => !applied.includes(name)),
  }
}

async function listAppliedMigrations(db: Kysely<Database>): Promise<string[]> {
  const { rows: tables } = await sql<{ exists: boolean }>`
    select to_regclass('kysely_migration') is not null as exists`.execute(db)
  if (!tables[0]?.exists) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map((row) => row.name)
}

async function restoreSession(db: Kysely<Database>): Promise<void> {
  await sql`select pg_advisory_unlock(${sql.lit(migrationLockId)})`.execute(db)
  await sql`reset statement_timeout`.execute(db)
  await sql`reset lock_timeout`.execute(db)
  await sql`reset idle_in_transaction_session_timeout`.execute(db)
}
