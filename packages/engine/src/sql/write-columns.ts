import { Decimal, priceText, solText, tokensText } from '@papermoon/amm'
import type { AccountChange, BatchChanges, HoldingChange, PoolChange, TradeEntry } from '../batch/changes.ts'
import type { TokenPool } from '../batch/market.ts'
import { CANDLE_WIDTHS } from '../candle-widths.ts'
import type { UserId } from '../ids.ts'
import { type Columns, manyRows, oneRow } from './columns.ts'
import { timeText } from './time-text.ts'
import { PARTS, type Part } from './write-statement.ts'

const NOTHING = new Decimal(0)

/** The parameters of the statement that writes a batch. */
export interface WriteColumns {
  /** No table has more than one row, and parameters are values instead of arrays. */
  readonly isOne: boolean
  readonly values: unknown[]
}

/** What a batch changed and rests on, as the columns of the statement that writes it. */
export function writeColumns(changes: BatchChanges): WriteColumns {
  const rows = rowsOf(changes)
  const isOne = PARTS.every((part) => rows[part].length <= 1)
  const columns = isOne ? oneRow : manyRows
  const valuesOf: Record<Part, unknown[]> = {
    pools: poolColumns(columns, rows.pools),
    accounts: accountColumns(columns, rows.accounts),
    refusing: refusalColumns(columns, rows.refusing),
    closing: closingColumns(columns, rows.closing),
    holdings: holdingColumns(columns, rows.holdings),
    newHoldings: holdingColumns(columns, rows.newHoldings),
    trades: tradeColumns(columns, rows.trades),
  }
  return { isOne, values: PARTS.flatMap((part) => valuesOf[part]) }
}

/** The rows of each part of the statement. Pools and accounts are locked in the order in which they come. */
function rowsOf(changes: BatchChanges) {
  const pools = [...changes.pools.values()].sort((a, b) => a.after.tokenId - b.after.tokenId)
  const holdings = pools.flatMap(({ after: { tokenId }, holdings }) =>
    [...holdings].map(([userId, change]) => ({ tokenId, userId, ...change })),
  )
  return {
    pools,
    accounts: accountsOf(changes),
    // Those that no order of the batch changed: the others are looked at when they are written.
    refusing: [...changes.refusedBy.pools.values()].filter(({ tokenId }) => !changes.pools.has(tokenId)),
    closing: pools.flatMap(closingsOf),
    holdings: holdings.filter(({ isNew }) => !isNew),
    newHoldings: holdings.filter(({ isNew }) => isNew),
    trades: changes.entries('trade'),
  }
}

/**
 * Those of refused orders too, as they are: whoever repeats an order that was sent, and that nobody knows the end of, waits for its
 * lock on the account.
 */
function accountsOf({ accounts, refusedBy }: BatchChanges): AccountChange[] {
  const unchanged = [...refusedBy.accounts.values()].filter(({ userId }) => !accounts.has(userId))
  const changes = [
    ...accounts.values(),
    ...unchanged.map((account) => ({ before: account, after: account, realizedPnl: NOTHING })),
  ]
  return changes.sort((a, b) => a.after.userId - b.after.userId)
}

/** The widths whose candle opens with this change, narrowest first; where one opens, all narrower ones do. */
function opensOf({ before, after }: PoolChange): readonly number[] {
  if (before.seq === 0) return CANDLE_WIDTHS
  const bucketOf = (atMs: number, width: number) => Math.floor(atMs / (width * 1_000))
  return CANDLE_WIDTHS.filter((width) => bucketOf(before.lastEventAtMs, width) < bucketOf(after.lastEventAtMs, width))
}

interface Closing {
  readonly tokenId: number
  readonly width: number
  readonly bucketMs: number
}

/** Candles that were forming, and end with this change. */
function closingsOf(change: PoolChange): Closing[] {
  const { tokenId, lastEventAtMs, seq } = change.before
  if (seq === 0) return []
  return opensOf(change).map((width) => ({
    tokenId,
    width,
    bucketMs: lastEventAtMs - (lastEventAtMs % (width * 1_000)),
  }))
}

function poolColumns({ texts, hashes }: Columns, pools: readonly PoolChange[]): unknown[] {
  return [
    texts(pools, ({ after }) => after.tokenId),
    texts(pools, ({ before }) => before.seq),
    texts(pools, ({ before }) => `${before.isHidden}`),
    texts(pools, ({ after, last }) => last?.pool.solReserve ?? solText(after.pool.sol)),
    texts(pools, ({ after, last }) => last?.pool.tokenReserve ?? tokensText(after.pool.tokens)),
    texts(pools, ({ after }) => solText(after.fees)),
    texts(pools, ({ after, last }) => last?.currentPrice ?? priceText(after.price)),
    texts(pools, ({ after }) => after.seq),
    texts(pools, ({ after }) => timeText(after.lastEventAtMs)),
    hashes(pools, ({ after }) => after.chainHead),
    texts(pools, (change) => opensOf(change).length),
    texts(pools, ({ high }) => priceText(high)),
    texts(pools, ({ low }) => priceText(low)),
    texts(pools, ({ volume }) => solText(volume)),
    texts(pools, ({ trades }) => trades),
  ]
}

function accountColumns({ texts }: Columns, accounts: readonly AccountChange[]): unknown[] {
  return [
    texts(accounts, ({ after }) => after.userId),
    texts(accounts, ({ before }) => before.balanceText),
    texts(accounts, ({ after }) => after.balanceText),
    texts(accounts, ({ realizedPnl }) => solText(realizedPnl)),
  ]
}

function refusalColumns({ texts }: Columns, pools: readonly TokenPool[]): unknown[] {
  return [
    texts(pools, ({ tokenId }) => tokenId),
    texts(pools, ({ seq }) => seq),
    texts(pools, ({ isHidden }) => `${isHidden}`),
  ]
}

function closingColumns({ texts }: Columns, closings: readonly Closing[]): unknown[] {
  return [
    texts(closings, ({ tokenId }) => tokenId),
    texts(closings, ({ width }) => width),
    texts(closings, ({ bucketMs }) => timeText(bucketMs)),
  ]
}

type HoldingRow = HoldingChange & { readonly tokenId: number; readonly userId: UserId }

function holdingColumns({ texts }: Columns, holdings: readonly HoldingRow[]): unknown[] {
  return [
    texts(holdings, ({ tokenId }) => tokenId),
    texts(holdings, ({ userId }) => userId),
    texts(holdings, ({ after }) => after.amount),
    texts(holdings, ({ after }) => after.cost),
  ]
}

function tradeColumns({ texts, quoted, hashes }: Columns, trades: readonly TradeEntry[]): unknown[] {
  return [
    texts(trades, ({ event }) => event.trade.tokenId),
    texts(trades, ({ event }) => event.trade.seq),
    texts(trades, ({ event }) => event.trade.userId),
    texts(trades, ({ event }) => event.trade.side),
    texts(trades, ({ event }) => event.trade.solAmount),
    texts(trades, ({ event }) => event.trade.fee),
    texts(trades, ({ event }) => event.trade.tokenAmount),
    texts(trades, ({ event }) => event.trade.price),
    texts(trades, ({ event }) => event.pool.solReserve),
    texts(trades, ({ event }) => event.pool.tokenReserve),
    texts(trades, ({ event }) => event.trade.spotPrice),
    quoted(trades, ({ requestKey }) => requestKey),
    texts(trades, ({ event }) => event.trade.createdAt),
    hashes(trades, ({ hash }) => hash),
  ]
}
