import { MARKET_TRADES_MAX, type MarketTrade, marketTrades } from '@papermoon/contract/tokens'
import type { Db } from '@papermoon/db'
import { sql } from 'kysely'
import type { CachedQuery } from '../../../cache/query-cache.ts'
import type { App } from '../../../context.ts'
import { MARKET_TRADE, type MarketTradeRow, toMarketTrade } from '../../../database/market-trades.ts'
import { visibleTokens } from '../../../database/visible-tokens.ts'

const tapeQuery: CachedQuery<null, MarketTrade[]> = {
  name: 'tape',
  schema: marketTrades,
  key: () => '',
  weight: () => MARKET_TRADES_MAX,
  scope: () => 'market',
  isFresh: () => true,
  // Read again instead of patching, because an event lacks the token's name, and the query is cheap.
  applyEvents: (entries, events) => ({ data: entries, stale: events.some((event) => event.type === 'trade') }),
}

/** Returns the whole market's newest trades with their tokens, newest first, at most 20. */
export async function latestMarketTrades(app: App): Promise<MarketTrade[]> {
  return await app.market.queryCache.get(tapeQuery, null, () => findTape(app.platform.db, MARKET_TRADES_MAX))
}

/** Number of the market's newest trades that are searched for visible tokens. */
const TRADES_SEEN = 200

/** Finds the newest trades of visible tokens, newest first. */
async function findTape(db: Db, limit: number): Promise<MarketTrade[]> {
  const { rows } = await sql<MarketTradeRow>`
    select ${MARKET_TRADE}
      from (select * from trades order by id desc limit ${TRADES_SEEN}) t
      join ${visibleTokens} k on k.id = t.token_id
      join users u on u.id = t.user_id
     order by t.id desc limit ${limit}`.execute(db)
  return rows.map(toMarketTrade)
}
