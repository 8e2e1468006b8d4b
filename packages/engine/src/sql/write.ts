import { Decimal, priceText, solText, tokensText } from '@papermoon/amm'
import type { UserId } from '@papermoon/contract/ids'
import type pg from 'pg'
import type {
  AccountChange,
  BatchChanges,
  HoldingChange,
  PoolChange,
  SpendingChange,
  TradeEntry,
} from '../batch/changes.ts'
import type { TokenPool } from '../batch/market.ts'
import { formatTime } from '../clock.ts'
import { type Columns, manyRows, oneRow } from './statements.ts'
import { writeLaunches, writeRugs, writeSeals } from './write-creator-orders.ts'
import { PARTS, type Part, WRITE_MANY, WRITE_MANY_LIMITED, WRITE_ONE, WRITE_ONE_LIMITED } from './write-statement.ts'
import { writeWaiting } from './write-waiting.ts'

/**
 * Writes all changes of a batch, each row once, and sets its positions. Launches, rug pulls, seals and waiting orders
 * each have their own statement before the main statement. If a row that the batch changed or depends on is not as
 * expected, rejects with PM001 and writes nothing.
 */
export async function writeChanges(
  client: pg.ClientBase,
  changes: BatchChanges,
  prepared?: WriteColumns,
): Promise<void> {
  const isMixed = changes.waiting.size > 0 || changes.journal.some(({ kind }) => kind !== 'trade')
  if (isMixed) await reserve(client, changes)
  const launches = changes.entries('launch')
  if (launches.length > 0) await writeLaunches(client, launches)
  const rugs = changes.entries('rug')
  if (rugs.length > 0) await writeRugs(client, rugs)
  const seals = changes.entries('seal')
  if (seals.length > 0) await writeSeals(client, seals)
  if (changes.waiting.size + changes.books.size > 0) await writeWaiting(client, changes)
  if (changes.hasWaitingOnly) return
  const columns = prepared ?? toWriteColumns(changes)
  const { rows } = await client.query<{ before: string | null }>({
    ...chooseStatement(columns),
    values: columns.values,
  })
  const before = rows[0]?.before ?? null
  if (before !== null) changes.assignPositions(Number(before))
}

/**
 * Reserves the positions of a batch. The batch's pools, its accounts and the fairs of its launches must be locked
 * first.
 */
async function reserve(client: pg.ClientBase, changes: BatchChanges): Promise<void> {
  const fairs = changes.entries('launch').flatMap(({ order }) => (order.fair === undefined ? [] : [order.fair.id]))
  if (fairs.length > 0) await client.query('select from fairs where id = any($1::int[]) for share', [fairs])
  const { rows } = await client.query<{ first: string | number }>('select next_position($1) as first', [
    changes.positions,
  ])
  changes.assignPositions(Number(rows[0]?.first) - 1)
}

function chooseStatement({ isOne, hasSpendings }: WriteColumns): { readonly name: string; readonly text: string } {
  if (hasSpendings) {
    return isOne
      ? { name: 'write-one-limited', text: WRITE_ONE_LIMITED }
      : { name: 'write-many-limited', text: WRITE_MANY_LIMITED }
  }
  return isOne ? { name: 'write-one', text: WRITE_ONE } : { name: 'write-many', text: WRITE_MANY }
}

/** Widths of the stored candles in seconds: minute, hour and day. Readers merge these candles into other widths. */
export const CANDLE_WIDTHS = [60, 3_600, 86_400] as const
export type CandleWidth = (typeof CANDLE_WIDTHS)[number]

const ZERO = new Decimal(0)

export interface WriteColumns {
  /** Whether each part has at most one row, so that parameters are single values instead of arrays. */
  readonly isOne: boolean
  /** Whether orders count against API keys' spending limits, so that the last parameters are for the spent SOL. */
  readonly hasSpendings: boolean
  readonly values: unknown[]
}

/** Formats a batch's changes, and the rows that the batch depends on, as parameters of the write statement. */
export function toWriteColumns(changes: BatchChanges): WriteColumns {
  const rows = collectRows(changes)
  const isOne = PARTS.every((part) => rows[part].length <= 1)
  const columns = isOne ? oneRow : manyRows
  const valuesByPart: Record<Part, unknown[]> = {
    pools: poolColumns(columns, rows.pools),
    accounts: accountColumns(columns, rows.accounts),
    unmodifiedPools: unmodifiedPoolColumns(columns, rows.unmodifiedPools),
    closingCandles: closingCandleColumns(columns, rows.closingCandles),
    holdings: holdingColumns(columns, rows.holdings),
    newHoldings: holdingColumns(columns, rows.newHoldings),
    trades: tradeColumns(columns, rows.trades, changes.after === null ? 0 : null),
    spendings: rows.spendings.length === 0 ? [] : spendingColumns(columns, rows.spendings),
  }
  const hasSpendings = rows.spendings.length > 0
  const reserved = changes.after === null ? rows.trades.length : 0
  return { isOne, hasSpendings, values: [reserved, ...PARTS.flatMap((part) => valuesByPart[part])] }
}

/** Collects the rows of each part. Pools and accounts are in the order in which they are locked, which is by id. */
function collectRows(changes: BatchChanges) {
  const pools = [...changes.pools.values()].sort((a, b) => a.after.tokenId - b.after.tokenId)
  const holdings = pools.flatMap(({ after: { tokenId }, holdings }) =>
    [...holdings].map(([userId, change]) => ({ tokenId, userId, ...change })),
  )
  return {
    pools,
    accounts: collectAccounts(changes),
    // Verify only unmodified pools here. The update of a modified pool verifies that pool.
    unmodifiedPools: [...changes.unmodified.pools.values()].filter(({ tokenId }) => !changes.pools.has(tokenId)),
    closingCandles: pools.flatMap(findClosingCandles),
    holdings: holdings.filter(({ isNew }) => !isNew),
    newHoldings: holdings.filter(({ isNew }) => isNew),
    trades: changes.entries('trade'),
    spendings: [...changes.spendings.values()].sort((a, b) => a.after.keyId - b.after.keyId),
  }
}

/**
 * Collects the changed accounts and the accounts of rejected and repeated orders. A repeat must wait for the first
 * attempt, which may still have locked the account.
 */
function collectAccounts({ accounts, unmodified }: BatchChanges): AccountChange[] {
  const unchanged = [...unmodified.accounts.values()].filter(({ id }) => !accounts.has(id))
  const changes = [
    ...accounts.values(),
    ...unchanged.map((account) => ({ before: account, after: account, realizedPnl: ZERO })),
  ]
  return changes.sort((a, b) => a.after.id - b.after.id)
}

/**
 * Returns the widths for which this change opens a new candle, narrowest first. When a candle opens, all narrower
 * candles also open.
 */
function findOpeningWidths({ before, after }: PoolChange): readonly number[] {
  if (before.seq === 0) return CANDLE_WIDTHS
  const toBucket = (atMs: number, width: number) => Math.floor(atMs / (width * 1_000))
  return CANDLE_WIDTHS.filter((width) => toBucket(before.lastEventAtMs, width) < toBucket(after.lastEventAtMs, width))
}

interface ClosingCandle {
  readonly tokenId: number
  readonly width: number
  readonly bucketMs: number
}

/** Returns the forming candles that end with this change. */
function findClosingCandles(change: PoolChange): ClosingCandle[] {
  const { tokenId, lastEventAtMs, seq } = change.before
  if (seq === 0) return []
  return findOpeningWidths(change).map((width) => ({
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
    // The batch's seals are written before this statement.
    texts(pools, ({ after }) => after.seal.number),
    texts(pools, ({ after }) => after.book.version),
    texts(pools, ({ after, last }) => last?.pool.solReserve ?? solText(after.pool.sol)),
    texts(pools, ({ after, last }) => last?.pool.tokenReserve ?? tokensText(after.pool.tokens)),
    texts(pools, ({ after }) => solText(after.fees)),
    texts(pools, ({ after, last }) => last?.currentPrice ?? priceText(after.price)),
    texts(pools, ({ after }) => after.seq),
    texts(pools, ({ after }) => formatTime(after.lastEventAtMs)),
    hashes(pools, ({ after }) => after.chainHead),
    texts(pools, (change) => findOpeningWidths(change).length),
    texts(pools, ({ high }) => priceText(high)),
    texts(pools, ({ low }) => priceText(low)),
    texts(pools, ({ volume }) => solText(volume)),
    texts(pools, ({ trades }) => trades),
  ]
}

function accountColumns({ texts }: Columns, accounts: readonly AccountChange[]): unknown[] {
  return [
    texts(accounts, ({ after }) => after.id),
    texts(accounts, ({ before }) => before.balanceText),
    texts(accounts, ({ after }) => after.balanceText),
    texts(accounts, ({ realizedPnl }) => solText(realizedPnl)),
  ]
}

function unmodifiedPoolColumns({ texts }: Columns, pools: readonly TokenPool[]): unknown[] {
  return [
    texts(pools, ({ tokenId }) => tokenId),
    texts(pools, ({ seq }) => seq),
    texts(pools, ({ isHidden }) => `${isHidden}`),
    texts(pools, ({ seal }) => seal.number),
    texts(pools, ({ book }) => book.version),
  ]
}

function closingCandleColumns({ texts }: Columns, candles: readonly ClosingCandle[]): unknown[] {
  return [
    texts(candles, ({ tokenId }) => tokenId),
    texts(candles, ({ width }) => width),
    texts(candles, ({ bucketMs }) => formatTime(bucketMs)),
  ]
}

type HoldingRow = Pick<HoldingChange, 'after'> & { readonly tokenId: number; readonly userId: UserId }

/** Formats the columns of the table `holdings`: token_id, user_id, amount, cost. */
export function holdingColumns({ texts }: Columns, holdings: readonly HoldingRow[]): unknown[] {
  return [
    texts(holdings, ({ tokenId }) => tokenId),
    texts(holdings, ({ userId }) => userId),
    texts(holdings, ({ after }) => after.amount),
    texts(holdings, ({ after }) => after.cost),
  ]
}

function spendingColumns({ texts }: Columns, spendings: readonly SpendingChange[]): unknown[] {
  return [
    texts(spendings, ({ after }) => after.keyId),
    texts(spendings, ({ before }) => before.day),
    texts(spendings, ({ before }) => solText(before.spent)),
    texts(spendings, ({ after }) => after.day),
    texts(spendings, ({ after }) => solText(after.spent)),
  ]
}

/**
 * The columns of `trades` in the order of `TRADE`. Ids count from `after`. If `after` is null, the trades already have
 * ids.
 */
export function tradeColumns(
  { texts, quoted, hashes }: Columns,
  trades: readonly TradeEntry[],
  after: number | null,
): unknown[] {
  let last = after ?? 0
  return [
    texts(trades, ({ event }) => (after === null ? event.trade.id : ++last)),
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
