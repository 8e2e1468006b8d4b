import type pg from 'pg'

const LOCK_TIMEOUT_MS = 500

/**
 * How a connection runs the engine's statements. They touch rows by their keys, so they are planned once and always by index: a
 * plan made while a table was small would read all of it for as long as the connection lives.
 */
export async function prepareSession(client: pg.ClientBase): Promise<void> {
  await client.query(SETTINGS.join(';'))
}

const SETTINGS = [
  // One foreign lock may delay the market this long, once; then the rows it holds are passed over.
  `set lock_timeout = ${LOCK_TIMEOUT_MS}`,
  'set plan_cache_mode = force_generic_plan',
  'set enable_seqscan = off',
  'set enable_hashjoin = off',
  'set enable_mergejoin = off',
  // What was looked up is hardly ever asked for again.
  'set enable_memoize = off',
]
