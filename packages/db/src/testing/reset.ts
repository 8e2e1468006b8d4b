import type pg from 'pg'

/** How to make a used copy of the template equal to a new one. */
export interface Reset {
  /** Statements that delete all rows, insert those of the migrations, and restart all sequences. */
  readonly statements: string
  /** Fingerprint of the schema. */
  readonly schema: string
}

/** A fingerprint of the schema, as SQL: every statement that changes the schema writes to one of these catalogs. */
const fingerprint = `concat_ws(' ', ${[
  ...['pg_class', 'pg_attribute', 'pg_constraint', 'pg_trigger', 'pg_proc', 'pg_index', 'pg_statistic', 'pg_type'],
].map((catalog) => `(select count(*) || ':' || max(xmin::text::bigint) from ${catalog})`)})`

/** Reads how to reset copies of this database. Returns null if this role may not switch triggers off. */
export async function readReset(client: pg.Client): Promise<Reset | null> {
  const { rows: settings } = await client.query('show is_superuser')
  if (settings[0]?.is_superuser !== 'on') return null
  const { rows: tables } = await client.query<{ name: string; columns: string }>(`
    select c.oid::regclass::text as name, string_agg(quote_ident(a.attname), ', ' order by attnum) as columns
      from pg_class c join pg_namespace n on n.oid = relnamespace
      join pg_attribute a on a.attrelid = c.oid and attnum > 0 and attgenerated = '' and not attisdropped
     where relkind = 'r' and nspname !~ '^(pg_|information_schema)' group by c.oid order by 1`)
  // Switch off triggers, which reject deletes from append-only tables, and foreign keys. The search path is that of this
  // connection, because a pool can have another one.
  const statements = ['set local session_replication_role = replica', 'set local search_path = public']
  for (const { name, columns } of tables) {
    statements.push(`delete from ${name}`)
    const { rows } = await client.query<{ json: string | null }>(`select json_agg(t)::text as json from ${name} t`)
    const [{ json } = { json: null }] = rows
    if (json === null) continue
    const read = `json_populate_recordset(null::${name}, ${client.escapeLiteral(json)})`
    statements.push(`insert into ${name} (${columns}) overriding system value select ${columns} from ${read}`)
  }
  const { rows: sequences } = await client.query<{ name: string }>(
    'select seqrelid::regclass::text as name from pg_sequence',
  )
  for (const { name } of sequences) {
    const { rows } = await client.query<{ last: string; used: boolean }>(
      `select last_value::text as last, is_called as used from ${name}`,
    )
    statements.push(`select setval(${client.escapeLiteral(name)}, ${rows[0]?.last}, ${rows[0]?.used})`)
  }
  const { rows } = await client.query<{ schema: string }>(`select ${fingerprint} as schema`)
  return { statements: statements.join(';\n'), schema: rows[0]?.schema ?? '' }
}

/** Statements that end all that a session may have left: cursors, settings, channels, temporary tables and locks. */
const RESET_SESSION = 'close all; reset all; unlisten *; discard temp; select pg_advisory_unlock_all()'

/** Max number of rows that are deleted, because a table with many deleted rows is slow. */
const rowsMax = 2_000
/** How often to look whether connections that were just closed have ended. */
const looksMax = 20

/**
 * Makes a used database equal to a new one. Returns false if it cannot: something has changed the schema, is connected
 * beside the idle connections of these pools, or left a transaction open.
 */
export async function resetDatabase(pools: readonly pg.Pool[], reset: Reset): Promise<boolean> {
  if (pools.some(({ idleCount, totalCount }) => idleCount < totalCount)) return false
  const take = (pool: pg.Pool) => Array.from({ length: Math.max(pool.totalCount, 1) }, () => pool.connect())
  const clients = await Promise.all(pools.flatMap(take))
  let isReset = false
  try {
    const [client] = clients
    const isIdle = clients.every((each) => each.getTransactionStatus() === 'I')
    if (client === undefined || !isIdle || !(await isAlone(client, clients.length))) return false
    const { rows } = await client.query<{ schema: string }>(`
      select ${fingerprint} as schema
       where not exists (select from pg_db_role_setting s join pg_database d on d.oid = setdatabase
                          where datname = current_database())`)
    if (rows[0]?.schema !== reset.schema) return false
    const results = (await client.query(`begin; ${reset.statements}; commit`)) as unknown as pg.QueryResult[]
    await Promise.all(clients.map((each) => each.query(RESET_SESSION)))
    const deleted = results.map(({ command, rowCount }) => (command === 'DELETE' ? (rowCount ?? 0) : 0))
    isReset = deleted.reduce((sum, rows) => sum + rows, 0) <= rowsMax
    return isReset
  } finally {
    for (const each of clients) each.release(!isReset)
  }
}

/** Returns whether a database has no other connections than these. */
async function isAlone(client: pg.PoolClient, connections: number): Promise<boolean> {
  for (let looks = 0; looks < looksMax; looks++) {
    const { rowCount } = await client.query('select from pg_stat_activity where datname = current_database()')
    if (rowCount === connections) return true
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return false
}
