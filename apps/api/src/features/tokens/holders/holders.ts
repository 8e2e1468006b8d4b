import { formatNumeric } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { TokenNotFoundError } from '@papermoon/engine'
import { patchHolders } from '@papermoon/live'
import type { CachedQuery } from '../../../cache/query-cache.ts'
import type { App } from '../../../context.ts'
import { patchEach } from '../list/patch-each.ts'
import { HOLDERS_PAGE, type Holder, holders } from '../schemas.ts'
import { tokenExists } from '../store.ts'
import { findHolders } from './holders-store.ts'

const holdersQuery: CachedQuery<TokenId, Holder[]> = {
  name: 'holders',
  schema: holders,
  key: String,
  weight: () => 2,
  // Events tell of all that changes in it.
  isFresh: () => true,
  scope: (id) => id,
  applyEvents: patchEach(patchHolders),
}

/** The largest holders of a token by rank, at most 20. Throws `TokenNotFoundError`. */
export async function topHolders(app: App, id: TokenId): Promise<Holder[]> {
  return await app.queryCache.get(holdersQuery, id, async () => {
    const rows = await findHolders(app.db, id, HOLDERS_PAGE)
    if (rows.length === 0 && !(await tokenExists(app.db, id))) throw new TokenNotFoundError()
    return rows.map(({ user_id, username, amount }, index) => ({
      userId: user_id as UserId,
      username,
      rank: index + 1,
      amount: formatNumeric(amount),
    }))
  })
}
