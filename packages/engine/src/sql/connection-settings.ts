import type pg from 'pg'

/** Max time to wait for a locked row in ms, by default. */
export const LOCK_TIMEOUT_MS = 500

/**
 * Configures a connection for the engine's statements. PostgreSQL plans each statement once, so each must access rows
 * by key through an index. A sequential scan that was planned while a table was small would be used as long as the
 * connection lives.
 */
export async function configureConnection(client: pg.ClientBase, lockTimeoutMs = LOCK_TIMEOUT_MS): Promise<void> {
  // If another session locks a row, the market waits for this time only once, and then batches skip the row.
  await client.query([`set lock_timeout = ${lockTimeoutMs}`, ...SETTINGS].join(';'))
}

const SETTINGS = [
  'set plan_cache_mode = force_generic_plan',
  'set enable_seqscan = off',
  'set enable_hashjoin = off',
  'set enable_mergejoin = off',
  // Memoize does not help, because a statement rarely looks up the same row twice.
  'set enable_memoize = off',
]
