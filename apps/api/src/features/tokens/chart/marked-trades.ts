import { MARKED_MAX, type MarkedTrade } from '@papermoon/contract/tokens'
import type { Db } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { TokenNotFoundError } from '@papermoon/engine'
import { sql } from 'kysely'
import type { App } from '../../../context.ts'
import { tokenExists, visibleTokens } from '../../../database/conditions.ts'

/**
 * Finds the trades by the creator and the caller that a chart marks, newest first. Returns at most 200 trades, which
 * are among the token's newest 2,000. Throws `TokenNotFoundError`.
 */
export async function markedTrades(
  { platform: { db } }: App,
  id: TokenId,
  userId: UserId | null,
): Promise<MarkedTrade[]> {
  const rows = await findMarkedTrades(db, id, { userId, limit: MARKED_MAX })
  if (rows.length === 0 && !(await tokenExists(db, id))) throw new TokenNotFoundError()
  return rows.map(({ seq, side, user_id, created_at }) => ({
    seq,
    side,
    userId: user_id as UserId,
    createdAt: created_at.toISOString(),
  }))
}

interface MarkedRow {
  readonly seq: number
  readonly side: 'buy' | 'sell'
  readonly user_id: number
  readonly created_at: Date
}

/**
 * Number of a token's newest trades that are searched. The limit keeps the cost the same for tokens with a long
 * history.
 */
const TRADES_SEARCHED = 2_000

/** Finds a token's newest trades by its creator or by `userId`, newest first. */
async function findMarkedTrades(
  db: Db,
  id: TokenId,
  { userId, limit }: { userId: UserId | null; limit: number },
): Promise<MarkedRow[]> {
  const { rows } = await sql<MarkedRow>`
    select t.seq, t.side, t.user_id, t.created_at
      from ${visibleTokens} k
      join lateral (
        select seq, side, user_id, created_at from trades where token_id = k.id order by seq desc limit ${TRADES_SEARCHED}
      ) t on t.user_id in (k.creator_id, ${userId})
     where k.id = ${id}
     order by t.seq desc limit ${limit}`.execute(db)
  return rows
}
