import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import {
  DatabaseIsNewerError,
  DatabaseIsOlderError,
  DatabaseIsReplicaError,
  DatabaseUnsupportedError,
} from './errors.ts'
import { BASELINE, migrations as ownMigrations } from './migrations.ts'
import type { Db } from './schema.ts'
import { isLockTimeout } from './unavailable.ts'

/** Key of the advisory lock for migrations. Any number works if all versions use the same number. */
const migrationLockId = 727_466_001
/**
 * Suffix of migrations with which older builds can still work, because they only add indexes, tables, or columns with
 * defaults. The suffix is part of the name, because older builds know nothing else about a newer migration.
 */
const compatibleMark = '.compatible'

/**
 * Max time that a migration waits for the lock of a table. While a migration waits, all later statements on this table
 * also wait.
 */
const lockTimeout = '1s'
/**
 * Number of attempts to get the lock. With the pause between them, a long read such as an audit delays the migration
 * for up to five minutes, but does not delay the market.
 */
const lockTries = 100
const lockPauseMs = 2_000

/**
 * Applies all missing migrations in one transaction, and returns their names. An advisory lock makes processes that
 * start together take turns.
 *
 * Throws DatabaseUnsupportedError, also for data of versions before 0.3.0. Throws DatabaseIsNewerError if this build
 * lacks migrations of the database. If all unknown migrations are marked as compatible and this build's migrations are
 * applied, does nothing.
 */
export async function migrateToLatest(
  db: Db,
  migrations: Record<string, Migration> = ownMigrations,
): Promise<string[]> {
  await assertServerSupported(db)
  return await db.connection().execute(async (connection) => {
    // Remove the statement timeout, because it may take long to wait for another process or to rewrite a large table.
    await sql`select set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false),
      set_config('idle_in_transaction_session_timeout', '0', false)`.execute(connection)
    await sql`select pg_advisory_lock(${sql.lit(migrationLockId)})`.execute(connection)
    try {
      return await runMigrations(connection, migrations)
    } finally {
      // Ignore errors, because a broken connection has lost its lock anyway, and the caller needs the first error.
      await restoreSession(connection).catch(() => {})
    }
  })
}

/**
 * Checks that the schema is up to date, or newer only by compatible migrations. Commands that run beside a server use
 * this function. Throws DatabaseIsReplicaError, DatabaseIsOlderError or DatabaseIsNewerError.
 */
export async function assertMigrated(db: Db): Promise<void> {
  const missing = await listMissingMigrations(db)
  if (missing.length > 0) throw new DatabaseIsOlderError(missing.map(({ name }) => name))
}

/**
 * A migration of this build that the database lacks. If the migration is compatible, servers of the previous version
 * can continue to run.
 */
export interface MissingMigration {
  readonly name: string
  readonly isCompatible: boolean
}

/** Lists the migrations that `migrateToLatest` would apply. Throws DatabaseIsReplicaError and DatabaseIsNewerError. */
export async function listMissingMigrations(db: Db): Promise<MissingMigration[]> {
  await assertServerSupported(db)
  const { incompatible, missing } = await compareMigrations(db, ownMigrations)
  if (incompatible.length > 0) throw new DatabaseIsNewerError(incompatible)
  return missing.map((name) => ({ name, isCompatible: name.endsWith(compatibleMark) }))
}

async function runMigrations(db: Db, migrations: Record<string, Migration>): Promise<string[]> {
  const { unknown, incompatible, missing } = await compareMigrations(db, migrations)
  if (incompatible.length > 0) throw new DatabaseIsNewerError(incompatible)
  if (unknown.length > 0) {
    // Do not run Kysely's migrator here, because it rejects unknown migrations. A newer build has applied all of this
    // build's migrations.
    if (missing.length > 0) throw new DatabaseIsNewerError(unknown)
    return []
  }
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  for (let tries = 1; ; tries++) {
    await sql`select set_config('lock_timeout', ${lockTimeout}, false)`.execute(db)
    const { error, results = [] } = await migrator.migrateToLatest()
    if (error === undefined) return results.map((result) => result.migrationName)
    if (!isLockTimeout(error) || tries === lockTries) throw error
    await sleep(lockPauseMs)
  }
}

/**
 * Compares the database's migrations with `migrations`. Returns the unknown migrations, the incompatible ones among
 * them, and the missing migrations.
 */
async function compareMigrations(db: Db, migrations: Record<string, Migration>) {
  const applied = await listAppliedMigrations(db)
  if (applied.length > 0) assertBaseline(applied)
  const unknown = applied.filter((name) => !(name in migrations))
  return {
    unknown,
    incompatible: unknown.filter((name) => !name.endsWith(compatibleMark)),
    missing: Object.keys(migrations).filter((name) => !applied.includes(name)),
  }
}

/** Throws DatabaseUnsupportedError if migrations of 0.3.0 are missing, because this build cannot apply them. */
export function assertBaseline(applied: readonly string[]): void {
  if (BASELINE.every((name) => applied.includes(name))) return
  throw new DatabaseUnsupportedError('is older than Papermoon 0.3.0. Start 0.3.0 on it once, and then this version')
}

async function listAppliedMigrations(db: Db): Promise<string[]> {
  const { rows: tables } = await sql<{ exists: boolean }>`
    select to_regclass('kysely_migration') is not null as exists`.execute(db)
  if (!tables[0]?.exists) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map((row) => row.name)
}

async function restoreSession(db: Db): Promise<void> {
  await sql`select pg_advisory_unlock(${sql.lit(migrationLockId)})`.execute(db)
  await sql`reset statement_timeout`.execute(db)
  await sql`reset lock_timeout`.execute(db)
  await sql`reset idle_in_transaction_session_timeout`.execute(db)
}

/** Oldest supported version of PostgreSQL, in the format of `server_version_num`. */
const VERSION_MIN = 150_000
const HOW_TO_CREATE = `create database … encoding 'UTF8' template template0`

/**
 * Checks that a server has a supported version, uses UTF-8 and accepts writes. Throws DatabaseUnsupportedError and
 * DatabaseIsReplicaError.
 */
export async function assertServerSupported(db: Db): Promise<void> {
  const { rows } = await sql<{ version: string; number: number; encoding: string; is_replica: boolean }>`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
           pg_encoding_to_char(encoding) as encoding, pg_is_in_recovery() as is_replica
      from pg_database where datname = current_database()`.execute(db)
  for (const { version, number, encoding, is_replica } of rows) {
    if (number < VERSION_MIN)
      throw new DatabaseUnsupportedError(`is PostgreSQL ${version}, and Papermoon needs 15 or newer`)
    if (encoding !== 'UTF8') {
      throw new DatabaseUnsupportedError(`has the encoding ${encoding}, and Papermoon needs UTF8 (${HOW_TO_CREATE})`)
    }
    if (is_replica) throw new DatabaseIsReplicaError()
  }
}
