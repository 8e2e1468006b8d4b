import type { Database, Db } from '@papermoon/db'
import type { TokenId } from '@papermoon/engine'
import { type Selectable, sql } from 'kysely'

/**
 * SQL for whether a user `u` may have a rank, a medal or a rating. A suspended or frozen account appears on no board.
 * When the suspension is lifted, the account's ranks, medals and rating return. Giveaway winners, fair results and
 * medal stickers from the time of the suspension stay as they are.
 */
export const MAY_RANK = sql<boolean>`(u.standing = 'active')`

/** SQL for whether a user `u` is a bot, declared by its owner or run by the house. */
export const IS_BOT = sql<boolean>`(u.kind <> 'player')`

/**
 * The table `tokens` without tokens that an operator has hidden. Public queries join this instead of `tokens`.
 * PostgreSQL inlines it, so it uses the same indexes as the table.
 */
export const visibleTokens = sql<Selectable<Database['tokens']>>`(select * from tokens where hidden_at is null)`

export async function tokenExists(db: Db, id: TokenId): Promise<boolean> {
  const row = await db.selectFrom(visibleTokens.as('t')).select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}
