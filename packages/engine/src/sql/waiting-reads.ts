import { Decimal, type Price } from '@papermoon/amm'
import type { TokenId } from '@papermoon/contract/ids'
import { WaitingCounts } from '../batch/market.ts'
import type { PendingOrder } from '../order-queue.ts'
import { comparePlaced, type Edge, OrderRange, type RangeEdges } from '../waiting/order-range.ts'
import type { WaitingChange, WaitingOrder } from '../waiting/waiting-order.ts'
import { formatIds, type ResultRows, type Row } from './statements.ts'

/** The data that a batch reads about waiting orders. */
export interface WaitingReads {
  /** Ranges of waiting orders by token, for tokens that were read. */
  readonly ranges: ReadonlyMap<TokenId, OrderRange>
  /** The orders to cancel or change, by id. */
  readonly waiting: ReadonlyMap<number, WaitingChange>
  /** Number of waiting orders of each player who places an order, before this batch. */
  readonly waitingCounts: WaitingCounts
  /** Returns the next id for a placed order. */
  nextOrderId(): number
}

export const NO_WAITING: WaitingReads = {
  ranges: new Map(),
  waiting: new Map(),
  waitingCounts: new WaitingCounts(),
  nextOrderId: () => 0,
}

/** Columns of an order and its player; `w` is the order, `p` the order's pool. */
const OWNED = `u.kind <> 'player' as is_bot, u.standing,
  case when w.key_id is null then 'none' when k.id is null or k.expires_at <= clock_timestamp() then 'revoked'
       when k.spending_limit is null or p.closes_at is not null then 'free' else 'limited' end as key_state`
const OWNERS = 'join users u on u.id = w.user_id left join api_keys k on k.id = w.key_id'

/** The lists of waiting orders. Each list is read in one direction, starting at the price. */
const LISTS = {
  buysLow: "w.kind = 'buy' and w.below <= p.buys_at order by w.below desc, w.placed_at, w.id",
  buysHigh: "w.kind = 'buy' and w.below > p.buys_at order by w.below, w.placed_at, w.id",
  stopsLow: "w.kind <> 'buy' and w.below <= p.stops_at order by w.below desc, w.placed_at, w.id",
  stopsHigh: "w.kind <> 'buy' and w.below > p.stops_at order by w.below, w.placed_at, w.id",
  salesHigh: 'w.above >= p.sales_at order by w.above, w.placed_at, w.id',
  salesLow: 'w.above < p.sales_at order by w.above desc, w.placed_at, w.id',
} satisfies Record<keyof RangeEdges, string>

/**
 * The tokens whose ranges are read, and the max number of orders per list. The max number of orders per list equals the
 * max number of steps.
 */
export interface RangesRead {
  readonly tokenIds: readonly TokenId[]
  readonly size: number
}

/**
 * Selects the orders in each list that are nearest to the prices of some pools, without orders that the current cascade
 * has filled. The orders that the price has reached, according to `computeReach`, come first.
 */
export function selectRanges({ tokenIds, size }: RangesRead): string {
  const lists = Object.entries(LISTS).map(
    ([edge, rule]) => `(select '${edge}' as edge, w.* from waiting_orders w
      where w.token_id = p.token_id and w.state = 'waiting' and w.filled_in <> p.skipped and ${rule} limit ${size})`,
  )
  return `with reach as materialized (
    select *, greatest(0.001, sol_reserve * (0.000002 + price * 0.002)) as room, cascade_from is not null as is_running
      from pools where token_id in (${formatIds(tokenIds)}) and sol_reserve > 0
        and (book_below is not null or book_above is not null or cascade_from is not null)
  ), centre as materialized (
    select token_id, closes_at, case when is_running then cascade else -1 end as skipped,
      case when is_running then greatest(cascade_from, (sol_reserve + room) * (sol_reserve + room) / (sol_reserve * token_reserve))
        else price end as buys_at,
      case when is_running then greatest(cascade_from, cascade_low) else price end as stops_at,
      case when is_running then least(cascade_from, (sol_reserve - room) * (sol_reserve - room) / (sol_reserve * token_reserve))
        else price end as sales_at
    from reach
  )
  select w.*, ${OWNED} from centre p cross join lateral (${lists.join(' union all ')}) w ${OWNERS}`
}

/** Returns the statements for orders that are placed, changed and cancelled. */
export function selectWaiting(orders: readonly PendingOrder[], draw: boolean): Record<string, string> {
  const placed = orders.flatMap(({ order }) => (order.kind === 'place' ? [order] : []))
  const ids = orders.flatMap(({ order }) => {
    if (order.kind === 'cancel') return order.ids
    return order.kind === 'place' && order.replaces !== undefined ? [order.replaces] : []
  })
  return {
    ...(ids.length > 0 && {
      waiting: `select w.*, ${OWNED} from waiting_orders w join pools p on p.token_id = w.token_id ${OWNERS}
         where w.id in (${formatIds(ids)})`,
    }),
    ...(placed.length > 0 && {
      waitingCounts: `select user_id, token_id, count(*)::int as count from waiting_orders
         where state = 'waiting' and user_id in (${formatIds([...new Set(placed.map(({ userId }) => userId))])})
         group by user_id, token_id`,
    }),
    ...(placed.length > 0 &&
      draw && {
        newOrderIds: `select nextval('waiting_orders_id_seq') as id from generate_series(1, ${placed.length})`,
      }),
  }
}

export function toWaitingReads(rows: ResultRows, ranges: ReadonlyMap<TokenId, OrderRange>): WaitingReads {
  const waitingCounts = new WaitingCounts()
  for (const { user_id, token_id, count } of rows('waitingCounts')) waitingCounts.add(user_id, token_id, count)
  const newIds: number[] = rows('newOrderIds').map(({ id }) => id)
  return {
    ranges,
    waiting: new Map(rows('waiting').map((row) => [row.id, toWaitingChange(row)])),
    waitingCounts,
    nextOrderId: () => newIds.shift() ?? 0,
  }
}

/**
 * Returns the tokens' ranges. The ranges are empty if no orders wait. `cascadeOf` returns the number of a token's
 * current cascade, or null if there is none.
 */
export function toRanges(
  rows: readonly Row[],
  { tokenIds, size, cascadeOf }: RangesRead & { cascadeOf(tokenId: TokenId): number | null },
): Map<TokenId, OrderRange> {
  const byToken = Map.groupBy(rows, ({ token_id }) => token_id as TokenId)
  return new Map(
    tokenIds.map((tokenId) => {
      const found = byToken.get(tokenId) ?? []
      const orders = new Map(found.map((row) => [row.id as number, toWaitingChange(row).order]))
      const range = new OrderRange([...orders.values()], toEdges(found, size), cascadeOf(tokenId))
      range.stepsMax = size
      return [tokenId, range]
    }),
  )
}

/**
 * Returns each list's last order if there may be further orders. There may be further orders if the list has `size`
 * orders.
 */
function toEdges(rows: readonly Row[], size: number): RangeEdges {
  const edge = (name: keyof RangeEdges, column: 'below' | 'above'): Edge | null => {
    const found = rows
      .filter((row) => row.edge === name)
      .map((row) => ({ trigger: new Decimal(row[column]), placedAtMs: row.placed_at.getTime(), id: row.id }))
    const way = name.endsWith('Low') ? -1 : 1
    found.sort((a, b) => way * a.trigger.cmp(b.trigger) || comparePlaced(a, b))
    return found[size - 1] ?? null
  }
  return {
    buysLow: edge('buysLow', 'below'),
    buysHigh: edge('buysHigh', 'below'),
    stopsLow: edge('stopsLow', 'below'),
    stopsHigh: edge('stopsHigh', 'below'),
    salesLow: edge('salesLow', 'above'),
    salesHigh: edge('salesHigh', 'above'),
  }
}

/** Converts a row of `waiting_orders`, joined with its player. */
export function toWaitingChange(row: Row): WaitingChange {
  const order: WaitingOrder = {
    id: row.id,
    tokenId: row.token_id,
    kind: row.kind,
    amount: new Decimal(row.amount ?? 0),
    price: toPrice(row.price),
    stopPrice: toPrice(row.stop_price),
    leastPrice: toPrice(row.least_price),
    owner: {
      userId: row.user_id,
      accountId: row.account_id,
      isBot: row.is_bot === true,
      standing: row.standing ?? 'active',
      keyId: row.key_id,
      keyState: row.key_state ?? 'none',
    },
    left: new Decimal(row.left_amount),
    below: toPrice(row.below),
    above: toPrice(row.above),
    filledIn: row.filled_in,
    fills: row.fills,
    placedAtMs: row.placed_at.getTime(),
    expiresAtMs: row.expires_at.getTime(),
    requestKey: row.request_key,
    replaces: row.replaces,
  }
  return { order, state: row.state, cause: row.cause, endedAtMs: row.ended_at?.getTime() ?? null }
}

function toPrice(text: string | null): Price | null {
  return text === null ? null : new Decimal(text)
}
