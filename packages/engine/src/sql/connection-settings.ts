import type pg from 'pg'

/** Default max wait for a row that another connection has locked, in ms. */
export const LOCK_TIMEOUT_MS = 500

/**
 * Configures a connection for the engine's statements. They are planned once and access rows by key, always through an
 * index: a sequential scan planned while a table was small would be used as long as the connection lives.
 */
export async function configureConnection(client: pg.ClientBase, lockTimeoutMs = LOCK_TIMEOUT_MS): Promise<void> {
  // A lock held by another session delays the market this long once. After that, its rows are skipped.
  await client.query([`set lock_timeout = ${lockTimeoutMs}`, ...SETTINGS].join(';'))
}

const SETTINGS = [
  'set plan_cache_mode = force_generic_plan',
  'set enable_seqscan = off',
  'set enable_hashjoin = off',
  'set enable_mergejoin = off',
  // Lookups within a statement hardly ever repeat.
  'set enable_memoize = off',
]
