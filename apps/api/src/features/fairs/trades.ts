import { computeMarketCap, Decimal, percentText, priceText } from '@papermoon/amm'
import type { FairToken, fairTradesInput } from '@papermoon/contract/fairs'
import type { MarketTradesPage } from '@papermoon/contract/history'
import { formatNumeric } from '@papermoon/db'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { App } from '../../context.ts'
import { IS_BOT, MARKET_TRADE, type MarketTradeRow, toMarketTrade, visibleTokens } from '../../database/conditions.ts'
import { type JournalReader, journalQueue } from '../../database/journal-queue.ts'
import { getFairsDb } from './ranking.ts'

/** Returns a page of a fair's trades of visible tokens, newest first. */
export async function getFairTrades(
  { app, ip }: JournalReader,
  { id, limit, cursor }: z.output<typeof fairTradesInput>,
): Promise<MarketTradesPage> {
  const before = cursor ?? Number.MAX_SAFE_INTEGER
  // Read only the newest trades of each token. The ids of a token's trades increase with its sequence numbers.
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

const TOKENS_MAX = 500

type Row = Pick<FairToken, 'id' | 'name' | 'symbol' | 'emoji' | 'creator' | 'realSol' | 'trades' | 'isRugged'> & {
  readonly price: string
  readonly launchPrice: string
  readonly createdAt: Date
}

/** Returns the tokens in a fair, highest market cap first, at most 500. */
export async function listFairTokens({ market, platform }: App, fairId: number): Promise<FairToken[]> {
  const { db } = market.fairs?.platform ?? platform
  const { rows } = await sql<Row>`
    select t.id, t.name, t.symbol, t.emoji, t.is_rugged as "isRugged", t.created_at as "createdAt",
           json_build_object('id', u.id, 'username', u.username, 'isBot', ${IS_BOT}) as creator,
           p.price, t.launch_price as "launchPrice", p.sol_reserve - p.virtual_sol as "realSol", p.seq as trades
      from ${visibleTokens} t join pools p on p.token_id = t.id join users u on u.id = t.creator_id
     where t.fair_id = ${fairId} order by p.price desc, t.id limit ${TOKENS_MAX}`.execute(db)
  return rows.map(({ price, launchPrice, createdAt, ...row }) => ({
    ...row,
    currentPrice: formatNumeric(price),
    marketCap: priceText(computeMarketCap(new Decimal(price))),
    change: percentText(new Decimal(price).sub(launchPrice), new Decimal(launchPrice)),
    realSol: formatNumeric(row.realSol),
    createdAt: createdAt.toISOString(),
  }))
}
