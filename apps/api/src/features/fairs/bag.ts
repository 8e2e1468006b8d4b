import type { FairBag } from '@papermoon/contract/fairs'
import { formatNumeric } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { CASH_OUT } from '../portfolio/public.ts'
import { NotInFairError } from './errors.ts'
import { POOL_SHARE } from './results.ts'

interface BagRow {
  readonly id: TokenId
  readonly name: string
  readonly symbol: string
  readonly emoji: string
  readonly amount: string
  readonly cost: string
  readonly pool_share: string
  readonly cash_out: string
}

interface Row {
  readonly balance: string
  readonly standing: string
  readonly cash_out: string
  readonly bags: readonly BagRow[]
}

/** Returns a player's SOL and tokens in a fair, from one snapshot. Throws `NotInFairError`. */
export async function getBag({ market, platform }: App, userId: UserId, fairId: number): Promise<FairBag> {
  const { db } = market.fairs?.platform ?? platform
  const { rows } = await sql<Row>`
    with account as (
      select sol_balance as balance, user_id, fair_id from accounts where fair_id = ${fairId} and user_id = ${userId}
    ), bag as materialized (
      select t.id, t.name, t.symbol, t.emoji, h.amount, h.cost, ${POOL_SHARE} as pool_share,
             coalesce(${CASH_OUT}, 0) as cash_out
        from account a join tokens t on t.fair_id = a.fair_id join pools p on p.token_id = t.id
          join holdings h on h.token_id = t.id and h.user_id = a.user_id and h.amount > 0
    )
    select a.balance, a.balance + coalesce((select sum(pool_share) from bag), 0) as standing,
           a.balance + coalesce((select sum(cash_out) from bag), 0) as cash_out,
           coalesce((select json_agg(json_build_object('id', id, 'name', name, 'symbol', symbol, 'emoji', emoji,
             'amount', amount::text, 'cost', cost::text, 'pool_share', pool_share::text, 'cash_out', cash_out::text)
             order by pool_share desc, id) from bag), '[]') as bags
      from account a`.execute(db)
  const [row] = rows
  if (row === undefined) throw new NotInFairError()
  return {
    balance: formatNumeric(row.balance),
    standing: formatNumeric(row.standing),
    cashOut: formatNumeric(row.cash_out),
    holdings: row.bags.map(({ id, name, symbol, emoji, ...bag }) => ({
      token: { id, name, symbol, emoji },
      amount: formatNumeric(bag.amount),
      cost: formatNumeric(bag.cost),
      poolShare: formatNumeric(bag.pool_share),
      cashOut: formatNumeric(bag.cash_out),
    })),
  }
}
