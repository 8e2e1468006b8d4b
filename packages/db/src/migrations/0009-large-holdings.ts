import { type Kysely, sql } from 'kysely'

/**
 * The largest holders of a token without a look at all of them. A two-thousandth of the supply is large, so that a token has
 * 2,000 such holdings at most. An index by amount itself would move with every trade, and with it a row's place in every
 * other index; this one moves when a holding becomes large or small.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'alter table holdings add column is_large boolean not null generated always as (amount >= 500000) stored',
  'create index holdings_large on holdings (token_id) where is_large',
]
