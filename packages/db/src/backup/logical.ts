import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import type { DatabaseAddress } from '../client.ts'
import { DatabaseIsNewerError } from '../errors.ts'
import { migrations } from '../migrations/index.ts'
import type { Database } from '../schema.ts'
import { CopyOutQuery, copyIn } from './copy-query.ts'

/** Kysely's own tables: the migrator fills them. */
const MIGRATOR_TABLES = ['kysely_migration', 'kysely_migration_lock']
const CONNECT_MAX_MS = 10_000

/** One table of an export. */
export interface ExportedTable {
  readonly name: string
  /** The columns of the copy, in order. */
  readonly columns: readonly string[]
}

/** The next value of a sequence is `lastValue`, or the one after it if `isCalled`. */
export interface ExportedSequence {
  readonly name: string
  readonly lastValue: string
  readonly isCalled: boolean
}

/** All rows of a database at one moment. */
export interface LogicalExport {
  /** By the database's clock. */
  readonly at: Date
  readonly tables: readonly ExportedTable[]
  /** The rows of a table in PostgreSQL's binary format. Tables are read one after another. */
  read(table: ExportedTable): AsyncIterable<Buffer>
  /** Read them after the tables: they do not belong to the snapshot, and a later value is as good. */
  readSequences(): Promise<ExportedSequence[]>
  close(): Promise<void>
}

/** Opens one snapshot of a database, which needs no right but to read it. */
export async function openExport(address: DatabaseAddress): Promise<LogicalExport> {
  const client = await openClient(address)
  await client.query('begin isolation level repeatable read, read only')
  const { rows } = await client.query<{ at: Date }>('select clock_timestamp() as at')
  return {
    at: rows[0]?.at ?? new Date(),
    tables: await listTables(client),
    read: (table) => client.query(new CopyOutQuery(`copy ${formatTable(table)} to stdout (format binary)`)),
    readSequences: () => readSequences(client),
    close: () => client.end(),
  }
}

export interface ImportPlan {
  readonly tables: readonly ExportedTable[]
  readonly sequences: readonly ExportedSequence[]
  read(table: ExportedTable): AsyncIterable<Buffer>
}

/** Fills a database that `createSchema` made, in one transaction. */
export async function importTables(address: DatabaseAddress, plan: ImportPlan): Promise<void> {
  const client = await openClient(address)
  try {
    await client.query('begin')
    const names = plan.tables.map(({ name }) => pg.escapeIdentifier(name))
    if (names.length > 0) await client.query(`truncate ${names.join(', ')}`)
    for (const table of await sortByReferences(client, plan.tables)) {
      await copyIn(client, `copy ${formatTable(table)} from stdin (format binary)`, plan.read(table))
    }
    for (const { name, lastValue, isCalled } of plan.sequences) {
      await client.query('select setval($1::text::regclass, $2::bigint, $3)', [
        pg.escapeIdentifier(name),
        lastValue,
        isCalled,
      ])
    }
    await client.query('commit')
  } finally {
    await client.end()
  }
}

/** Names of the migrations of a database, in order. */
export async function readMigrations(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** Throws DatabaseIsNewerError if these migrations of a backup are not all known to this build. */
export function assertKnownMigrations(names: readonly string[]): void {
  const unknown = names.filter((name) => !(name in migrations))
  if (unknown.length > 0) throw new DatabaseIsNewerError(unknown)
}

/** Whether a database has no tables. */
export async function isEmptyDatabase(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ is_empty: boolean }>`
    select not exists (select from pg_tables where schemaname = any(current_schemas(false))) as is_empty`.execute(db)
  return rows[0]?.is_empty ?? false
}

/** Makes the schema that these migrations make, in an empty database. */
export async function createSchema(db: Kysely<Database>, names: readonly string[]): Promise<void> {
  assertKnownMigrations(names)
  const known = Object.fromEntries(
    names.map((name) => [name, migrations[name] as NonNullable<(typeof migrations)[string]>]),
  )
  const migrator = new Migrator({ db, provider: { getMigrations: async () => known } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
}

async function openClient(address: DatabaseAddress): Promise<pg.Client> {
  const client = new pg.Client({
    ...address,
    application_name: 'papermoon-backup',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MAX_MS,
  })
  // A broken connection is reported by its statement.
  client.on('error', () => {})
  await client.connect()
  await client.query(`set statement_timeout = 0; set idle_in_transaction_session_timeout = 0`)
  return client
}

/** All tables with their stored columns; generated ones are computed again. */
async function listTables(client: pg.Client): Promise<ExportedTable[]> {
  const { rows } = await client.query<ExportedTable>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relkind = 'r' and c.relnamespace = any (select oid from pg_namespace where nspname = any(current_schemas(false)))
        and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and c.relname <> all ($1)
      group by c.relname order by c.relname`,
    [MIGRATOR_TABLES],
  )
  return rows
}

async function readSequences(client: pg.Client): Promise<ExportedSequence[]> {
  const { rows: names } = await client.query<{ name: string }>(
    'select sequencename as name from pg_sequences where schemaname = any(current_schemas(false)) order by 1',
  )
  const sequences: ExportedSequence[] = []
  for (const { name } of names) {
    const { rows } = await client.query<{ last_value: string; is_called: boolean }>(
      `select last_value::text, is_called from ${pg.escapeIdentifier(name)}`,
    )
    for (const { last_value, is_called } of rows) sequences.push({ name, lastValue: last_value, isCalled: is_called })
  }
  return sequences
}

/** Tables after those that they refer to. */
async function sortByReferences(client: pg.Client, tables: readonly ExportedTable[]): Promise<ExportedTable[]> {
  const { rows } = await client.query<{ child: string; parent: string }>(
    `select conrelid::regclass::text as child, confrelid::regclass::text as parent from pg_constraint
      where contype = 'f' and conrelid <> confrelid`,
  )
  const sorted: ExportedTable[] = []
  let left = [...tables]
  while (left.length > 0) {
    const waiting = new Set(left.map(({ name }) => name))
    const free = left.filter(({ name }) => !rows.some(({ child, parent }) => child === name && waiting.has(parent)))
    if (free.length === 0) throw new Error('the tables refer to each other in a circle')
    sorted.push(...free)
    left = left.filter((table) => !free.includes(table))
  }
  return sorted
}

function formatTable({ name, columns }: ExportedTable): string {
  return `${pg.escapeIdentifier(name)} (${columns.map((column) => pg.escapeIdentifier(column)).join(', ')})`
}
