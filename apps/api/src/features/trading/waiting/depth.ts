import { Decimal, SOL_DECIMALS } from '@papermoon/amm'
import {
  DEPTH_BUCKETS_MAX,
  DEPTH_PLAYERS_MIN,
  type Depth,
  type DepthBucket,
  depth,
} from '@papermoon/contract/waiting-orders'
import { type TokenId, TokenNotFoundError } from '@papermoon/engine'
import { defineTimedQuery } from '../../../cache/query-cache.ts'
import type { App } from '../../../context.ts'
import { type DepthRow, depthRows } from './store.ts'

/** Max age of the order-book depth in ms. All viewers share the result. */
const AGE_MAX_MS = 5_000

const depthQuery = defineTimedQuery<TokenId, Depth>({
  name: 'depth',
  schema: depth,
  isFresh: (atMs, nowMs) => nowMs >= atMs && nowMs < atMs + AGE_MAX_MS,
})

/**
 * Returns the order-book depth: how much SOL waits at each price on both sides, without names. Throws
 * `TokenNotFoundError`.
 */
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

/**
 * Adds up the orders of a side by prices of two digits, the nearest first. Merges each price with the next ones until
 * the bucket has at least three players. If orders of fewer players remain at the end, they join the previous bucket,
 * or are left out if there is none.
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
