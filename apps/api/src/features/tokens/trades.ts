import type { TokenId, Trade } from '@papermoon/engine'
import { TokenNotFoundError, toTrade } from '@papermoon/engine'
import { patchTrades } from '@papermoon/live'
import type { ReadingKind } from '../../cache/query-cache.ts'
import type { App } from '../../context.ts'
import { caughtUpBy } from './list/caught-up-by.ts'
import { TRADES_PAGE, trades } from './schemas.ts'
import { findTrades, tokenExists } from './store.ts'

const tradesReading: ReadingKind<TokenId, Trade[]> = {
  name: 'trades',
  schema: trades,
  key: String,
  weigh: () => 5,
  // Events tell of all that changes in it.
  isGood: () => true,
  follows: (id) => id,
  catchUp: caughtUpBy((known, event) => ({ data: patchTrades(known, event), stale: false })),
}

/** The newest trades of a token, newest first, at most 50. Throws `TokenNotFoundError`. */
export async function latestTrades(app: App, id: TokenId): Promise<Trade[]> {
  return await app.readings.get(tradesReading, id, async () => {
    const rows = await findTrades(app.db, id, TRADES_PAGE)
    if (rows.length === 0 && !(await tokenExists(app.db, id))) throw new TokenNotFoundError()
    return rows.map(toTrade)
  })
}
