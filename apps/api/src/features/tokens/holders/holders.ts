import { formatNumeric } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { TokenNotFoundError } from '@papermoon/engine'
import { patchHolders } from '@papermoon/live'
import type { ReadingKind } from '../../../cache/query-cache.ts'
import type { App } from '../../../context.ts'
import { caughtUpBy } from '../list/caught-up-by.ts'
import { HOLDERS_PAGE, type Holder, holders } from '../schemas.ts'
import { tokenExists } from '../store.ts'
import { findHolders } from './holders-store.ts'

const holdersReading: ReadingKind<TokenId, Holder[]> = {
  name: 'holders',
  schema: holders,
  key: String,
  weigh: () => 2,
  // Events tell of all that changes in it.
  isGood: () => true,
  follows: (id) => id,
  catchUp: caughtUpBy(patchHolders),
}

/** The largest holders of a token by rank, at most 20. Throws `TokenNotFoundError`. */
export async function topHolders(app: App, id: TokenId): Promise<Holder[]> {
  return await app.readings.get(holdersReading, id, async () => {
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
