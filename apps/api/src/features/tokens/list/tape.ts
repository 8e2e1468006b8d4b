import { toTrade } from '@papermoon/engine'
import type { CachedQuery } from '../../../cache/query-cache.ts'
import type { App } from '../../../context.ts'
import { MARKET_TRADES_MAX, type MarketTrade, marketTrades } from '../schemas.ts'
import { findTape, type TapeRow } from './tape-store.ts'

const tapeQuery: CachedQuery<null, MarketTrade[]> = {
  name: 'tape',
  schema: marketTrades,
  key: () => '',
  weight: () => MARKET_TRADES_MAX,
  scope: () => 'market',
  isFresh: () => true,
  // An event does not tell its token's name, and the read is a cheap one.
  applyEvents: (entries, events) => ({ data: entries, stale: events.some((event) => event.type === 'trade') }),
}

/** The newest trades of the whole market with their tokens, newest first, at most 20. */
export async function latestMarketTrades(app: App): Promise<MarketTrade[]> {
  return await app.queryCache.get(tapeQuery, null, async () =>
    (await findTape(app.db, MARKET_TRADES_MAX)).map(toMarketTrade),
  )
}

function toMarketTrade(row: TapeRow): MarketTrade {
  return { ...toTrade(row), tokenName: row.name, tokenSymbol: row.symbol, emoji: row.emoji }
}
