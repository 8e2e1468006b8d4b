import { type Kysely, sql } from 'kysely'

/**
 * What a player did lately, and what they launched, without reading the market's whole journal: a portfolio's last day,
 * the leaderboard's exact sums, a profile's tokens.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'create index trades_player on trades (user_id, created_at)',
  'create index tokens_creator on tokens (creator_id, id)',
]
