import { Decimal, SOL_DECIMALS } from '@papermoon/amm'
import {
  DEPTH_BUCKETS_MAX,
  DEPTH_PLAYERS_MIN,
  type Depth,
  type DepthBucket,
  depth,
} from '@papermoon/contract/waiting-orders'
import { type TokenId, TokenNotFoundError } from '@papermoon/engine'
import { type RawBuilder, sql } from 'kysely'
import { defineTimedQuery } from '../../../cache/query-cache.ts'
import type { App } from '../../../context.ts'
import { visibleTokens } from '../../../database/visible-tokens.ts'

/** All viewers share a picture of up to this age. */
const AGE_MAX_MS = 5_000
/** The nearest orders of each side that are read, so that the cost does not grow with what waits. */
const ORDERS_MAX = 1_000

const depthQuery = defineTimedQuery<TokenId, Depth>({
  name: 'depth',
  schema: depth,
  isFresh: (atMs, nowMs) => nowMs >= atMs && nowMs < atMs + AGE_MAX_MS,
})

/** The SOL that waits by price on both sides, without names. Throws `TokenNotFoundError`. */
export async function getDepth(app: App, id: TokenId): Promise<Depth> {
  return await app.market.queryCache.get(depthQuery, id, async () => {
    const { rows } = await depthRows(id).execute(app.platform.db)
    const [first] = rows
    if (first === undefined) throw new TokenNotFoundError()
    const { is_shown: isShown } = first
    const of = (wanted: DepthRow['side']) => toBuckets(rows.filter(({ side }) => side === wanted))
    return { isShown, buys: isShown ? of('buy') : [], sales: isShown ? of('sale') : [] }
  })
}

/** A waiting order, or a side of null where none waits. */
export interface DepthRow {
  readonly is_shown: boolean
  readonly side: 'buy' | 'sale' | null
  readonly user_id: number
  /** The spot price that it begins at. */
  readonly price: string
  /** What its player has for it after their nearer orders. */
  readonly sol: string
}

/** As a query, for the test of its plan. The nearest orders come first; stops are left out, also once they were triggered. */
export function depthRows(id: TokenId): RawBuilder<DepthRow> {
  const side = (name: string, has: RawBuilder<unknown>, rule: RawBuilder<unknown>, order: RawBuilder<unknown>) => sql`
    select ${name}::text as side, near.user_id, near.price, has.amount as has, near.amount,
           coalesce(sum(near.amount) over (partition by near.user_id order by near.place
             rows between unbounded preceding and 1 preceding), 0) as nearer
      from (select w.user_id, w.account_id, w.left_amount as amount, coalesce(w.above, w.below) as price,
                   row_number() over (order by ${order}) as place
              from waiting_orders w where w.token_id = ${id} and w.state = 'waiting' and ${rule}
             order by ${order} limit ${ORDERS_MAX}) near
      join lateral (${has}) has on true`
  const buys = side(
    'buy',
    sql`select sol_balance as amount from accounts where account_id = near.account_id`,
    sql`w.kind = 'buy'`,
    sql`w.below desc, w.placed_at, w.id`,
  )
  const sales = side(
    'sale',
    sql`select h.amount from holdings h where h.token_id = ${id} and h.user_id = near.user_id`,
    sql`w.above is not null and (w.kind = 'sale' or (w.kind = 'bracket' and w.below is not null))`,
    sql`w.above, w.placed_at, w.id`,
  )
  return sql<DepthRow>`
    select f.depth as is_shown, o.side, o.user_id, o.price,
           least(o.amount, o.has - o.nearer) * case o.side when 'sale' then o.price else 1 end as sol
      from ${visibleTokens} t join fairs f on f.id = t.fair_id join pools p on p.token_id = t.id
      left join (${buys} union all ${sales}) o on o.has > o.nearer and p.rugged_at is null
        and coalesce(p.closes_at > clock_timestamp(), true)
     where t.id = ${id} order by o.side, case o.side when 'buy' then -o.price else o.price end`
}

/**
 * Adds up the orders of a side, nearest first, by prices of two digits, each merged with the next until it holds at least three
 * players. What is left at the far end, of fewer, belongs to the bucket before it, or to none.
 */
export function toBuckets(rows: readonly DepthRow[]): DepthBucket[] {
  const buckets: Bucket[] = []
  let step = new Decimal(0)
  for (const { user_id, price, sol } of rows) {
    const exact = new Decimal(price)
    const from = exact.toSignificantDigits(2, Decimal.ROUND_DOWN)
    const last = buckets.at(-1)
    const isFull = last !== undefined && last.players.size >= DEPTH_PLAYERS_MIN && !step.eq(from)
    if (isFull && buckets.length === DEPTH_BUCKETS_MAX) break
    const added = {
      from,
      to: from.add(Decimal.pow(10, exact.e - 1)),
      sol: new Decimal(sol),
      players: new Set([user_id]),
    }
    if (last === undefined || isFull) buckets.push(added)
    else merge(last, added)
    step = from
  }
  const [before, end] = buckets.slice(-2)
  if (buckets.length === 1 && before !== undefined && before.players.size < DEPTH_PLAYERS_MIN) return []
  if (before !== undefined && end !== undefined && end.players.size < DEPTH_PLAYERS_MIN) {
    merge(before, end)
    buckets.pop()
  }
  return buckets.map(({ from, to, sol }) => ({
    from: from.toFixed(),
    to: to.toFixed(),
    sol: sol.toDecimalPlaces(SOL_DECIMALS, Decimal.ROUND_DOWN).toFixed(),
  }))
}

interface Bucket {
  from: Decimal
  to: Decimal
  sol: Decimal
  readonly players: Set<number>
}

function merge(bucket: Bucket, more: Bucket): void {
  bucket.from = Decimal.min(bucket.from, more.from)
  bucket.to = Decimal.max(bucket.to, more.to)
  bucket.sol = bucket.sol.add(more.sol)
  for (const player of more.players) bucket.players.add(player)
}
