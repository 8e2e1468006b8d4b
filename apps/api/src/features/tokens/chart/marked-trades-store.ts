import type { Database } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { type Kysely, sql } from 'kysely'
import { visibleTokens } from '../../../database/visible-tokens.ts'

export interface MarkedRow {
  readonly seq: number
  readonly side: 'buy' | 'sell'
  readonly user_id: number
  readonly created_at: Date
}

/** How many of a token's newest trades are looked through: what the read costs does not grow with its age. */
const TRADES_SEEN = 2_000

/** The newest trades that the creator of a token, or `userId`, made of it, newest first. */
export async function findMarkedTrades(
  db: Kysely<Database>,
  id: TokenId,
  { userId, limit }: { userId: UserId | null; limit: number },
): Promise<MarkedRow[]> {
  const { rows } = await sql<MarkedRow>`
    select t.seq, t.side, t.user_id, t.created_at
      from ${visibleTokens} k
      join lateral (
        select seq, side, user_id, created_at from trades where token_id = k.id order by seq desc limit ${TRADES_SEEN}
      ) t on t.user_id in (k.creator_id, ${userId})
     where k.id = ${id}
     order by t.seq desc limit ${limit}`.execute(db)
  return rows
}
