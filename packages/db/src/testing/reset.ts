import type pg from 'pg'

/** How to make a used copy of the template equal to a new one. */
export interface Reset {
  /** Statements that delete all rows, insert those of the migrations, and restart all sequences. */
  readonly statements: string
  /** Fingerprint of the schema. */
  readonly schema: string
}

/**
 * A fingerprint of the schema, as SQL. Every change of a table, column, index, constraint, trigger, function or
 * statistic changes it.
 */
const schemaSql = [
  ...['pg_class', 'pg_attribute', 'pg_constraint', 'pg_trigger', 'pg_proc', 'pg_index', 'pg_statistic', 'pg_type'],
].map((catalog) => `(select count(*) || ':' || max(xmin::text::bigint) from ${catalog})`)
const fingerprint = `concat_ws(' ', ${schemaSql.join(', ')})`

/** Reads how to reset copies of this database. Returns null if this role may not switch triggers off. */
export async function readReset(client: pg.Client): Promise<Reset | null> {
  const { rows: settings } = await client.query('show is_superuser')
  if (settings[0]?.is_superuser !== 'on') return null
  const { rows: tables } = await client.query<{ name: string; columns: string }>(`
    select c.oid::regclass::text as name, string_agg(quote_ident(a.attname), ', ' order by attnum) as columns
      from pg_class c join pg_namespace n on n.oid = relnamespace
      join pg_attribute a on a.attrelid = c.oid and attnum > 0 and attgenerated = '' and not attisdropped
     where relkind = 'r' and nspname !~ '^(pg_|information_schema)' group by c.oid order by 1`)
  // Switch off triggers, which reject deletes from append-only tables, and foreign keys.
  const statements = ['set local session_replication_role = replica']
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
export const RESET_SESSION = 'close all; reset all; unlisten *; discard temp; select pg_advisory_unlock_all()'

/** Max number of rows that are deleted, because a table with many deleted rows is slow. */
const rowsMax = 2_000
/** How often to look whether connections that were just closed have ended. */
const looksMax = 20

/**
 * Makes a used database equal to a new one. Returns false if it cannot: something has changed the schema, is connected
 * beside the pool, or left a transaction open.
 */
export async function resetDatabase(pools: readonly pg.Pool[], reset: Reset): Promise<boolean> {
  const taken = pools.flatMap((pool) => Array.from({ length: pool.totalCount }, () => pool.connect()))
  const clients = await Promise.all(taken.length > 0 ? taken : pools.slice(0, 1).map((pool) => pool.connect()))
  const [client] = clients
  let isReset = false
  try {
    if (client === undefined || !(await isAlone(client, clients.length))) return false
    const { rows } = await client.query<{ schema: string }>(`
      select ${fingerprint} as schema
       where not exists (select from pg_db_role_setting s join pg_database d on d.oid = setdatabase
                          where datname = current_database())`)
    if (rows[0]?.schema !== reset.schema) return false
    const results = (await client.query(`begin; ${reset.statements}; commit`)) as unknown as pg.QueryResult[]
    const deleted = results.reduce(
      (sum, { command, rowCount }) => sum + (command === 'DELETE' ? (rowCount ?? 0) : 0),
      0,
    )
    await Promise.all(clients.map((each) => each.query(RESET_SESSION)))
    isReset = deleted <= rowsMax
    return isReset
  } finally {
    for (const each of clients) each.release(!isReset)
  }
}

/** Whether a database has no other connections than these, and no transaction is open in one. */
async function isAlone(client: pg.PoolClient, connections: number): Promise<boolean> {
  for (let looks = 0; looks < looksMax; looks++) {
    const { rows } = await client.query<{ all: number; idle: number }>(`
      select count(*)::int as all, count(*) filter (where state = 'idle' or pid = pg_backend_pid())::int as idle
        from pg_stat_activity where datname = current_database()`)
    if (rows[0]?.all === connections) return rows[0].idle === connections
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return false
}
