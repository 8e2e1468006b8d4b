import { computeMarketCap, Decimal, percentText, priceText } from '@papermoon/amm'
import type { FairToken } from '@papermoon/contract/fairs'
import { formatNumeric } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { IS_BOT } from '../../database/is-bot.ts'
import { visibleTokens } from '../../database/visible-tokens.ts'

const TOKENS_MAX = 500

interface Row {
  readonly id: TokenId
  readonly name: string
  readonly symbol: string
  readonly emoji: string
  readonly creator_id: UserId
  readonly username: string
  readonly is_bot: boolean
  readonly price: string
  readonly launch_price: string
  readonly real_sol: string
  readonly seq: number
  readonly is_rugged: boolean
  readonly created_at: Date
}

/** The tokens of a fair, the highest market cap first, at most 500. */
export async function listFairTokens({ market, platform }: App, fairId: number): Promise<FairToken[]> {
  const { db } = market.fairs?.platform ?? platform
  const { rows } = await sql<Row>`
    select t.id, t.name, t.symbol, t.emoji, t.creator_id, u.username, ${IS_BOT} as is_bot, p.price, t.launch_price,
           p.sol_reserve - p.virtual_sol as real_sol, p.seq, t.is_rugged, t.created_at
      from ${visibleTokens} t join pools p on p.token_id = t.id join users u on u.id = t.creator_id
     where t.fair_id = ${fairId} order by p.price desc, t.id limit ${TOKENS_MAX}`.execute(db)
  return rows.map((row) => ({
    ...{ id: row.id, name: row.name, symbol: row.symbol, emoji: row.emoji },
    creator: { id: row.creator_id, username: row.username, isBot: row.is_bot },
    currentPrice: formatNumeric(row.price),
    marketCap: priceText(computeMarketCap(new Decimal(row.price))),
    change: percentText(new Decimal(row.price).sub(row.launch_price), new Decimal(row.launch_price)),
    realSol: formatNumeric(row.real_sol),
    trades: row.seq,
    isRugged: row.is_rugged,
    createdAt: row.created_at.toISOString(),
  }))
}
