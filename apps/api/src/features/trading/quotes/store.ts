import type { Database } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { type Kysely, sql } from 'kysely'

interface QuotedTokenRow {
  readonly sol_reserve: string
  readonly virtual_sol: string
  readonly token_reserve: string
  readonly seq: number
  readonly is_hidden: boolean
  readonly is_held: boolean
}

/** A token's pool as it is now, hidden or not, and whether this player holds any of the token. */
export async function findQuotedToken(
  db: Kysely<Database>,
  tokenId: TokenId,
  userId: UserId | null,
): Promise<QuotedTokenRow | undefined> {
  const { rows } = await sql<QuotedTokenRow>`
    select p.sol_reserve, p.virtual_sol, p.token_reserve, p.seq, t.hidden_at is not null as is_hidden,
      exists (select from holdings h where h.token_id = p.token_id and h.user_id = ${userId}::int and h.amount > 0) as is_held
    from pools p join tokens t on t.id = p.token_id
    where p.token_id = ${tokenId}`.execute(db)
  return rows[0]
}
