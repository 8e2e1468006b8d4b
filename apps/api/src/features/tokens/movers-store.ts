import type { Database } from '@papermoon/db'
import { type Kysely, sql } from 'kysely'
import { dayBefore, type TokenRow, tokenRows } from './store.ts'

type Db = Kysely<Database>

/** How many of the market's newest trades are looked through: what a read costs grows neither with age nor with trade. */
const TRADES_SEEN = 20_000
/** How many of the most traded tokens are looked at for their gains. */
const TRADED_MAX = 500
/** A gain that would read 0.00 % is none. */
const GAIN_MIN = '1.0001'

/**
 * Open tokens by the SOL they were traded for in the market's newest 20,000 trades of the last 24 hours, most first: on a
 * quiet day that is all of it, in a rush the last minutes.
 */
export async function findTraded(db: Db, now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with traded as materialized (
      select token_id, sum(sol_amount) as volume
        from (select token_id, sol_amount, created_at from trades order by id desc limit ${TRADES_SEEN}) t
       where created_at >= ${dayBefore(now)}
       group by token_id order by volume desc, token_id desc limit ${TRADED_MAX}
    )
    select token_id as id
      from traded
      join tokens k on k.id = token_id and k.hidden_at is null
      join pools p using (token_id)
     where p.rugged_at is null
     order by volume desc, token_id desc`.execute(db)
  return rows.map(({ id }) => id)
}

interface Column {
  readonly limit: number
  readonly now: Date
}

/** Those of `ids` that gained in 24 hours, the largest gain first. */
export async function findRising(db: Db, ids: readonly number[], { limit, now }: Column): Promise<TokenRow[]> {
  const gain = sql`p.price / coalesce(ago.close, t.launch_price)`
  const page = sql`
    select p.token_id, row_number() over (order by ${gain} desc, p.token_id desc) as place
      from pools p
      join tokens t on t.id = p.token_id
      left join lateral (
        select close from candles where token_id = p.token_id and width = 60 and bucket < ${dayBefore(now)}
         order by bucket desc limit 1
      ) ago on true
     where p.token_id = any(${ids}) and ${gain} >= ${GAIN_MIN}
     order by place limit ${limit}`
  const { rows } = await tokenRows(page, now).execute(db)
  return rows
}

/** The first of `ids`, by their volume of 24 hours: the figure that is shown with them. */
export async function findHot(db: Db, ids: readonly number[], { limit, now }: Column): Promise<TokenRow[]> {
  const page = sql`select id as token_id, 1 as place from unnest(${ids.slice(0, limit)}::int[]) id`
  const { rows } = await sql<TokenRow>`
    select * from (${tokenRows(page, now)}) hot order by volume_24h desc, id desc`.execute(db)
  return rows
}
