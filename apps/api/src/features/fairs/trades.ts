import type { fairTradesInput } from '@papermoon/contract/fairs'
import type { MarketTradesPage } from '@papermoon/contract/history'
import { type TradeRow, toTrade } from '@papermoon/engine'
import { sql } from 'kysely'
import type { z } from 'zod'
import { IS_BOT } from '../../database/is-bot.ts'
import { type JournalReader, journalQueue } from '../../database/journal-queue.ts'
import { getFairsDb } from './ranking.ts'

interface Row extends TradeRow {
  readonly name: string
  readonly symbol: string
  readonly emoji: string
}

/** A page of a fair's trades of visible tokens, newest first. */
export async function getFairTrades(
  { app, ip }: JournalReader,
  { id, limit, cursor }: z.output<typeof fairTradesInput>,
): Promise<MarketTradesPage> {
  const before = cursor ?? Number.MAX_SAFE_INTEGER
  // Ids increase along a token's numbers, so each token gives its newest alone.
  const { rows } = await journalQueue(ip, () =>
    sql<Row>`
      select t.id, t.token_id, t.seq, t.user_id, u.username, ${IS_BOT} as is_bot, t.side, t.sol_amount, t.fee,
             t.token_amount, t.price, t.spot_price, t.created_at, k.name, k.symbol, k.emoji
        from tokens k cross join lateral (
          select * from trades where token_id = k.id and id < ${before} order by seq desc limit ${limit}
        ) t join users u on u.id = t.user_id
       where k.fair_id = ${id} and k.hidden_at is null
       order by t.id desc limit ${limit}`.execute(getFairsDb(app)),
  )
  return {
    trades: rows.map((row) => ({ ...toTrade(row), tokenName: row.name, tokenSymbol: row.symbol, emoji: row.emoji })),
    nextCursor: rows.length < limit ? null : (rows.at(-1)?.id ?? null),
  }
}
