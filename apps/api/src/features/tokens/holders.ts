import { HOLDERS_PAGE, type Holder, holders } from '@papermoon/contract/tokens'
import { type Db, formatNumeric, PREPARED } from '@papermoon/db'
import { type TokenId, TokenNotFoundError, type UserId } from '@papermoon/engine'
import { patchHolders } from '@papermoon/live'
import { sql } from 'kysely'
import type { CachedQuery } from '../../cache/query-cache.ts'
import type { App } from '../../context.ts'
import { IS_BOT, tokenExists, visibleTokens } from '../../database/conditions.ts'
import { patchEach } from './to-token.ts'

const holdersQuery: CachedQuery<TokenId, Holder[]> = {
  name: 'holders',
  schema: holders,
  key: String,
  weight: () => 2,
  // The cached result is always fresh, because events contain every change to holdings.
  isFresh: () => true,
  scope: (id) => id,
  applyEvents: patchEach(patchHolders),
}

/** Returns at most 20 of a token's largest holders, sorted by rank. Throws `TokenNotFoundError`. */
export async function topHolders(app: App, id: TokenId): Promise<Holder[]> {
  return await app.market.queryCache.get(holdersQuery, id, async () => {
    const rows = await findHolders(app.platform.db, id, HOLDERS_PAGE)
    if (rows.length === 0 && !(await tokenExists(app.platform.db, id))) throw new TokenNotFoundError()
    return rows.map((row, index) => toHolder(row, index + 1))
  })
}

export function toHolder({ user_id, username, is_bot, amount }: HolderRow, rank: number): Holder {
  return { userId: user_id as UserId, username, isBot: is_bot, rank, amount: formatNumeric(amount) }
}

export interface HolderRow {
  readonly user_id: number
  readonly username: string
  readonly is_bot: boolean
  readonly amount: string
}

/** Finds a token's largest holders, the largest first. If amounts are equal, the older account comes first. */
export async function findHolders(db: Db, id: TokenId, limit: number): Promise<HolderRow[]> {
  // Search for large holders first. There are only a few large holders, and all others rank below them.
  const large = await firstHolders(db, id, { limit, isLarge: true })
  return large.length === limit ? large : await firstHolders(db, id, { limit, isLarge: false })
}

/** Finds the holders with the best ranks. Reads the names only of the few holders to show. */
async function firstHolders(
  db: Db,
  id: TokenId,
  { limit, isLarge }: { limit: number; isLarge: boolean },
): Promise<HolderRow[]> {
  return await db
    .selectFrom((from) =>
      from
        .selectFrom('holdings')
        .select(['token_id', 'user_id', 'amount'])
        .where('token_id', '=', id)
        .where('amount', '>', '0')
        .$if(isLarge, (holdings) => holdings.where('is_large', '=', sql.lit(true)))
        .orderBy('amount', 'desc')
        .orderBy('user_id')
        .limit(limit)
        .as('h'),
    )
    .innerJoin('users as u', 'u.id', 'h.user_id')
    .innerJoin(visibleTokens.as('k'), 'k.id', 'h.token_id')
    .select(['h.user_id', 'u.username', IS_BOT.as('is_bot'), 'h.amount'])
    .orderBy('h.amount', 'desc')
    .orderBy('h.user_id')
    .modifyFront(PREPARED)
    .execute()
}
