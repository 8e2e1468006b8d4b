import type pg from 'pg'

/** Default max time to wait for a row that another connection has locked, in ms. */
export const LOCK_TIMEOUT_MS = 500

/**
 * Configures a connection for the engine's statements. PostgreSQL plans each statement once, so each must access rows
 * by key through an index. A sequential scan that was planned while a table was small would be used as long as the
 * connection lives.
 */
export async function configureConnection(client: pg.ClientBase, lockTimeoutMs = LOCK_TIMEOUT_MS): Promise<void> {
  // A lock that another session holds delays the market this long once. After that, batches skip the locked rows.
  await client.query([`set lock_timeout = ${lockTimeoutMs}`, ...SETTINGS].join(';'))
}

const SETTINGS = [
  'set plan_cache_mode = force_generic_plan',
  'set enable_seqscan = off',
  'set enable_hashjoin = off',
  'set enable_mergejoin = off',
  // Memoizing does not help, because lookups within a statement hardly ever repeat.
  'set enable_memoize = off',
]
