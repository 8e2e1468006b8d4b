import { buyBound, Decimal, FILL_MIN, saleBound } from '@papermoon/amm'
import type { WaitingOrderKind, WaitingOrderState } from '@papermoon/db'
import type { Differences } from './differences.ts'
import type { RowStream } from './streaming-snapshot.ts'

/** A waiting or ended order, with the sums of its fills. */
export interface OrderRow {
  readonly id: number
  readonly token_id: number
  readonly kind: WaitingOrderKind
  readonly price: string | null
  readonly stop_price: string | null
  readonly least_price: string | null
  readonly amount: string | null
  readonly left_amount: string
  readonly below: string | null
  readonly above: string | null
  readonly fills: number
  readonly state: WaitingOrderState
  readonly cause: string | null
  /** Number of trades whose idempotency keys belong to the order's fills. */
  readonly found: number
  readonly taken: string
  /** Whether each fill has the order's token and side, and happened while the order was open. */
  readonly is_in_place: boolean
  /** Whether no fill had a worse price than the order. For a bracket, the worse of its two prices counts. */
  readonly is_in_price: boolean
  /** Whether a price before the first fill was at or below the stop price. */
  readonly is_triggered: boolean
}

/**
 * SQL that reads orders together with their fills. A fill's average price is exact only as a product, because the price
 * in the database is truncated.
 */
export const ORDERS = `
  select w.id, w.token_id, w.kind, w.price, w.stop_price, w.least_price, w.amount, w.left_amount, w.below, w.above, w.fills,
         w.state, w.cause, f.found, f.taken, f.is_in_place, f.is_in_price,
         coalesce((select t.spot_price <= w.stop_price from trades t
           where t.token_id = w.token_id and t.seq < f.first and t.created_at >= w.placed_at
             and t.spot_price <= w.stop_price order by t.seq desc limit 1), false) as is_triggered
    from waiting_orders w cross join lateral (
      select count(*)::int as found, min(t.seq) as first,
             coalesce(sum(case t.side when 'buy' then t.sol_amount else t.token_amount end), 0)::text as taken,
             coalesce(bool_and(t.token_id = w.token_id and (t.side = 'buy') = (w.kind = 'buy')
               and t.created_at >= w.placed_at and t.created_at < w.expires_at
               and t.created_at <= coalesce(w.ended_at, 'infinity')), true) as is_in_place,
             coalesce(bool_and(case when w.kind = 'buy' then t.sol_amount <= w.price * t.token_amount
               else t.sol_amount >= t.token_amount * coalesce(case when w.kind = 'sale' then w.price else w.least_price end, 0)
               end), true) as is_in_price
        from generate_series(1, w.fills) n
        join trades t on t.user_id = w.user_id and t.request_key = 'order ' || w.id || ' fill ' || n
    ) f order by w.id`

/**
 * SQL that counts trades with keys of fills, and finds pools whose stored nearest triggers are farther away than the
 * triggers of their orders.
 */
export const ORDER_SUMS = `
  select (select count(*)::int from trades where request_key like 'order % fill %') as fills,
         (select coalesce(array_agg(p.token_id), '{}') from pools p join (
            select token_id, max(below) as below, min(above) as above from waiting_orders where state = 'waiting' group by 1
          ) w on w.token_id = p.token_id
          where p.rugged_at is null and (coalesce(p.book_below < w.below, w.below is not null)
            or coalesce(p.book_above > w.above, w.above is not null))) as blind`

export interface OrderSums {
  readonly fills: number
  readonly blind: readonly number[]
}

/** Compares every order with its fills, and every pool with its waiting orders. */
export async function compareOrders(
  { orders, sums }: { readonly orders: RowStream<OrderRow>; readonly sums: RowStream<OrderSums> },
  differences: Differences,
): Promise<void> {
  let fills = 0
  for (let row = await orders.take(); row !== undefined; row = await orders.take()) {
    fills += row.fills
    for (const what of findFaults(row)) differences.add(`waiting order ${row.id} (token ${row.token_id})`, what)
  }
  const stored = await sums.take()
  if (stored === undefined) return
  if (stored.fills !== fills)
    differences.add('waiting orders', `the orders record ${fills} fills, but the trades record ${stored.fills}`)
  for (const tokenId of stored.blind)
    differences.add(
      `token ${tokenId}, pool`,
      'an order’s trigger is nearer to the price than the nearest trigger in the pool’s row',
    )
}

function findFaults(row: OrderRow): string[] {
  const left = new Decimal(row.left_amount)
  const faults: [boolean, string][] = [
    [row.found !== row.fills, `the order records ${row.fills} fills, but ${row.found} trades belong to it`],
    [
      row.amount !== null && !left.add(row.taken).eq(row.amount),
      `the filled amount and the remaining ${row.left_amount} do not add up to the order’s amount`,
    ],
    [!row.is_in_place, 'a fill has the wrong token, side or time'],
    [!row.is_in_price, 'a fill is worse than the order’s price'],
    [
      row.kind === 'stop' && row.fills > 0 && !row.is_triggered,
      'the order was filled before its stop price was reached',
    ],
    [
      row.state === 'filled' && (row.fills === 0 || !isUsedUp(row, left)),
      'the order is marked as filled, but part of it is still open',
    ],
    [
      (row.cause === null) !== (row.state === 'waiting' || row.state === 'filled'),
      'the order’s state does not match its end reason',
    ],
    [row.state === 'waiting' && !hasOwnTriggers(row), 'the stored trigger does not match the order’s price'],
  ]
  return faults.filter(([isWrong]) => isWrong).map(([, what]) => what)
}

function isUsedUp({ kind, above, least_price }: OrderRow, left: Decimal): boolean {
  if (left.isZero()) return true
  const bound = least_price === null ? above : saleBound(new Decimal(least_price))
  return kind === 'buy' ? left.lt(FILL_MIN) : bound !== null && left.mul(bound).lt(FILL_MIN)
}

/**
 * Returns whether the stored triggers follow from the order's terms. A stop order may have its triggers from before or
 * after it was triggered.
 */
function hasOwnTriggers({ kind, price, stop_price, least_price, below, above }: OrderRow): boolean {
  const isSame = (stored: string | null, expected: Decimal | null) =>
    stored === null || expected === null ? stored === expected : expected.eq(stored)
  const bound = price === null ? null : saleBound(new Decimal(price))
  if (kind === 'buy') return above === null && isSame(below, price === null ? null : buyBound(new Decimal(price)))
  if (kind === 'sale') return below === null && isSame(above, bound)
  if (below !== null) return isSame(below, stop_price === null ? null : new Decimal(stop_price)) && isSame(above, bound)
  return isSame(above, least_price === null ? new Decimal(0) : saleBound(new Decimal(least_price)))
}
