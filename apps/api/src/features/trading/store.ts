import type { Database } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import type { Kysely } from 'kysely'

export interface PositionRow {
  readonly sol_balance: string
  readonly token_id: number | null
  readonly amount: string | null
  readonly cost: string | null
}

/** A player's balance with their holding of a token; `token_id` is null where there is no such token. */
export async function findPosition(
  db: Kysely<Database>,
  userId: UserId,
  tokenId: TokenId,
): Promise<PositionRow | undefined> {
  return await db
    .selectFrom('accounts as a')
    .leftJoin('tokens as t', (join) => join.on('t.id', '=', tokenId))
    .leftJoin('holdings as h', (join) => join.onRef('h.token_id', '=', 't.id').onRef('h.user_id', '=', 'a.user_id'))
    .select(['a.sol_balance', 't.id as token_id', 'h.amount', 'h.cost'])
    .where('a.user_id', '=', userId)
    .executeTakeFirst()
}
