import { type Kysely, sql } from 'kysely'

/**
 * Holdings without foreign keys, as trades and candles are: the engine holds the locks on the token's pool and the player's
 * account when it writes one, neither is ever deleted, and the audit finds a holding that follows from no trade unless it is one of
 * nothing. The two checks of each first purchase were a tenth of PostgreSQL's time of a trade spread over 1,000 tokens.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'alter table holdings drop constraint holdings_token_id_fkey',
  'alter table holdings drop constraint holdings_user_id_fkey',
]
