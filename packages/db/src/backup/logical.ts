import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { DatabaseAddress } from '../client.ts'
import { DatabaseIsNewerError } from '../errors.ts'
import { assertBaseline } from '../migrate.ts'
import { migrations } from '../migrations.ts'
import type { Db } from '../schema.ts'
import { type LogPosition, readLogPosition } from './log-position.ts'

const CONNECT_MAX_MS = 10_000
/** Settings of a session whose statements may take hours. */
export const UNLIMITED = 'set statement_timeout = 0; set idle_in_transaction_session_timeout = 0'
/** The schema of the fairground, and the schema of all other fairs. */
const SCHEMAS = "current_schemas(false) || 'fairs'::name"
/** Tables of Kysely itself, which the migrator fills. */
const MIGRATOR_TABLES = ['kysely_migration', 'kysely_migration_lock']

/** A table of an export, with its columns in the order of the copy. */
export interface ExportedTable {
  /** The table's name. Tables of fairs have the name of their schema before a dot. */
  readonly name: string
  readonly columns: readonly string[]
}

export interface ExportedSequence {
  readonly name: string
  readonly lastValue: string
}

interface ExportedDatabase {
  /** The log position of the export. The exported rows contain every commit before this position. */
  readonly position: LogPosition
  readonly sequences: readonly ExportedSequence[]
}

export async function withClient<T>(address: DatabaseAddress, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const own = { application_name: 'papermoon-backup', keepAlive: true, connectionTimeoutMillis: CONNECT_MAX_MS }
  const client = new pg.Client({ ...address, ...own })
  // Ignore the event, because the statement that is running on the connection reports the error.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Passes the rows of all tables at one time to `write`, in PostgreSQL's binary format. The export needs only the right
 * to read.
 */
export async function exportDatabase(
  address: DatabaseAddress,
  write: (table: ExportedTable, rows: AsyncIterable<Buffer>) => Promise<void>,
): Promise<ExportedDatabase> {
  return await withClient(address, async (client) => {
    const position = await readLogPosition(client)
    await client.query(`${UNLIMITED}; begin isolation level repeatable read, read only`)
    for (const table of await listTables(client)) {
      await write(table, client.query(copyTo(`copy ${formatTable(table)} to stdout (format binary)`)))
    }
    // Sequences are not part of the snapshot. A sequence that is read later does no harm, because its values only
    // increase.
    const { rows: sequences } = await client.query<ExportedSequence>(
      `select case schemaname when 'fairs' then 'fairs.' else '' end || sequencename as name,
        last_value::text as "lastValue" from pg_sequences
        where schemaname = any(${SCHEMAS}) and last_value is not null order by 1`,
    )
    return { position, sequences }
  })
}

export interface ImportPlan<Table extends ExportedTable> {
  readonly tables: readonly Table[]
  readonly sequences: readonly ExportedSequence[]
  read(table: Table): AsyncIterable<Buffer>
}

/** Fills a database that `createSchema` created, in one transaction. */
export async function importDatabase<Table extends ExportedTable>(
  address: DatabaseAddress,
  { tables, sequences, read }: ImportPlan<Table>,
): Promise<void> {
  await withClient(address, async (client) => {
    await client.query(`${UNLIMITED}; begin`)
    // Drop the foreign keys, and add them again when all tables are filled, because tables refer to each other.
    const { rows: references } = await client.query<{ drop: string; add: string }>(
      `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
        format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
        from pg_constraint where contype = 'f'`,
    )
    for (const { drop } of references) await client.query(drop)
    const names = tables.map(({ name }) => quote(name))
    // Disable triggers, because they could reject rows that were valid earlier, for example after a fair's end.
    for (const name of names) await client.query(`alter table ${name} disable trigger user`)
    if (names.length > 0) await client.query(`truncate ${names.join(', ')}`)
    for (const table of tables) {
      const copy = client.query(copyFrom(`copy ${formatTable(table)} from stdin (format binary)`))
      await pipeline(Readable.from(read(table)), copy)
    }
    for (const { name, lastValue } of sequences) {
      await client.query('select setval($1::text::regclass, $2::bigint)', [quote(name), lastValue])
    }
    for (const name of names) await client.query(`alter table ${name} enable trigger user`)
    for (const { add } of references) await client.query(add)
    await client.query('commit')
  })
}

/** Returns the names of the migrations of a database, in order. */
export async function readMigrations(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** Throws DatabaseIsNewerError if this build lacks a migration of a backup, and DatabaseUnsupportedError. */
export function assertKnownMigrations(names: readonly string[]): void {
  const unknown = names.filter((name) => !(name in migrations))
  if (unknown.length > 0) throw new DatabaseIsNewerError(unknown)
  assertBaseline(names)
}

/** Creates the schema of these migrations in an empty database. */
export async function createSchema(db: Db, names: readonly string[]): Promise<void> {
  assertKnownMigrations(names)
  const known = Object.fromEntries(Object.entries(migrations).filter(([name]) => names.includes(name)))
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => known } }).migrateToLatest()
  if (error !== undefined) throw error
}

/** Lists all tables with their stored columns. Generated columns are left out. */
async function listTables(client: pg.Client): Promise<ExportedTable[]> {
  const { rows } = await client.query<ExportedTable>(
    `select case n.nspname when 'fairs' then 'fairs.' else '' end || c.relname as name,
        array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
      where c.relkind = 'r' and n.nspname = any(${SCHEMAS})
        and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and c.relname <> all ($1)
      group by n.nspname, c.relname order by 1`,
    [MIGRATOR_TABLES],
  )
  return rows
}

function formatTable({ name, columns }: ExportedTable): string {
  return `${quote(name)} (${columns.map((column) => pg.escapeIdentifier(column)).join(', ')})`
}

/** Quotes the name of a table or sequence for SQL. In the names of fairs' tables, the schema comes before a dot. */
function quote(name: string): string {
  return name.split('.').map(pg.escapeIdentifier).join('.')
}
