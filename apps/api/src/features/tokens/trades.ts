import { TRADES_PAGE, trades } from '@papermoon/contract/tokens'
import type { TokenId, Trade } from '@papermoon/engine'
import { TokenNotFoundError, toTrade } from '@papermoon/engine'
import { patchTrades } from '@papermoon/live'
import type { CachedQuery } from '../../cache/query-cache.ts'
import type { App } from '../../context.ts'
import { tokenExists } from '../../database/token-exists.ts'
import { patchEach } from './patch-each.ts'
import { findTrades } from './store.ts'

const tradesQuery: CachedQuery<TokenId, Trade[]> = {
  name: 'trades',
  schema: trades,
  key: String,
  weight: () => 5,
  // Events contain every change, so it never goes stale.
  isFresh: () => true,
  scope: (id) => id,
  applyEvents: patchEach((known, event) => ({ data: patchTrades(known, event), stale: false })),
}

/** The newest trades of a token, newest first, at most 50. Throws `TokenNotFoundError`. */
export async function latestTrades(app: App, id: TokenId): Promise<Trade[]> {
  return await app.market.queryCache.get(tradesQuery, id, async () => {
    const rows = await findTrades(app.platform.db, id, TRADES_PAGE)
    if (rows.length === 0 && !(await tokenExists(app.platform.db, id))) throw new TokenNotFoundError()
    return rows.map(toTrade)
  })
}
