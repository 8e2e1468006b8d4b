import { computeMarketCap, Decimal, percentText, priceText } from '@papermoon/amm'
import type { FairToken } from '@papermoon/contract/fairs'
import { formatNumeric } from '@papermoon/db'
import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { IS_BOT, visibleTokens } from '../../database/conditions.ts'

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
