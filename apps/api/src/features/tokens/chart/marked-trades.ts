import type { TokenId, UserId } from '@papermoon/engine'
import { TokenNotFoundError } from '@papermoon/engine'
import type { App } from '../../../context.ts'
import { MARKED_MAX, type MarkedTrade } from '../schemas.ts'
import { tokenExists } from '../store.ts'
import { findMarkedTrades } from './marked-trades-store.ts'

/**
 * The trades that a chart marks: the creator's, and the caller's own, among a token's newest 2,000; newest first, at
 * most 200. Throws `TokenNotFoundError`.
 */
export async function markedTrades({ db }: App, id: TokenId, userId: UserId | null): Promise<MarkedTrade[]> {
  const rows = await findMarkedTrades(db, id, { userId, limit: MARKED_MAX })
  if (rows.length === 0 && !(await tokenExists(db, id))) throw new TokenNotFoundError()
  return rows.map(({ seq, side, user_id, created_at }) => ({
    seq,
    side,
    userId: user_id as UserId,
    createdAt: created_at.toISOString(),
  }))
}
