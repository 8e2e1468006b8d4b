import type { fairTradesInput } from '@papermoon/contract/fairs'
import type { MarketTradesPage } from '@papermoon/contract/history'
import { sql } from 'kysely'
import type { z } from 'zod'
import { type JournalReader, journalQueue } from '../../database/journal-queue.ts'
import { MARKET_TRADE, type MarketTradeRow, toMarketTrade } from '../../database/market-trades.ts'
import { getFairsDb } from './ranking.ts'

/** Returns a page of a fair's trades of visible tokens, newest first. */
export async function getFairTrades(
  { app, ip }: JournalReader,
  { id, limit, cursor }: z.output<typeof fairTradesInput>,
): Promise<MarketTradesPage> {
  const before = cursor ?? Number.MAX_SAFE_INTEGER
  // Read only the newest trades of each token, because a token's ids increase with its sequence numbers.
  const { rows } = await journalQueue(ip, () =>
    sql<MarketTradeRow>`
      select ${MARKET_TRADE}
        from tokens k cross join lateral (
          select * from trades where token_id = k.id and id < ${before} order by seq desc limit ${limit}
        ) t join users u on u.id = t.user_id
       where k.fair_id = ${id} and k.hidden_at is null
       order by t.id desc limit ${limit}`.execute(getFairsDb(app)),
  )
  return {
    trades: rows.map(toMarketTrade),
    nextCursor: rows.length < limit ? null : (rows.at(-1)?.id ?? null),
  }
}
