import { Decimal, priceText, solText, tokensText } from '@papermoon/amm'
import { CANDLE_WIDTHS } from '../../../candle-widths.ts'
import type { BatchChanges, HoldingChange, PoolChange } from './batch-changes.ts'
import { hashes, quoted, texts } from './columns.ts'
import { timeText } from './time-text.ts'

const NOTHING = new Decimal(0)

/** What a batch changed and rests on, as the columns of the statement that writes it. */
export function writeColumns(changes: BatchChanges): unknown[] {
  // Rows are locked in the order in which they come.
  const pools = [...changes.pools.values()].sort((a, b) => a.after.tokenId - b.after.tokenId)
  return [
    ...poolColumns(pools),
    ...accountColumns(changes),
    ...refusalColumns(changes),
    ...closingColumns(pools),
    ...holdingColumns(pools),
    ...tradeColumns(changes),
  ]
}

function poolColumns(changes: readonly PoolChange[]): unknown[] {
  return [
    texts(changes, ({ after }) => after.tokenId),
    texts(changes, ({ before }) => before.seq),
    texts(changes, ({ before }) => `${before.isHidden}`),
    texts(changes, ({ after, last }) => last?.pool.solReserve ?? solText(after.pool.sol)),
    texts(changes, ({ after, last }) => last?.pool.tokenReserve ?? tokensText(after.pool.tokens)),
    texts(changes, ({ after }) => solText(after.fees)),
    texts(changes, ({ after, last }) => last?.currentPrice ?? priceText(after.price)),
    texts(changes, ({ after }) => after.seq),
    texts(changes, ({ after }) => timeText(after.lastEventAtMs)),
    hashes(changes, ({ after }) => after.chainHead),
    texts(changes, (change) => opensOf(change).length),
    texts(changes, ({ high }) => priceText(high)),
    texts(changes, ({ low }) => priceText(low)),
    texts(changes, ({ volume }) => solText(volume)),
    texts(changes, ({ trades }) => trades),
  ]
}

/** The widths whose candle opens with this change, narrowest first; where one opens, all narrower ones do. */
function opensOf({ before, after }: PoolChange): readonly number[] {
  if (before.seq === 0) return CANDLE_WIDTHS
  const bucketOf = (atMs: number, width: number) => Math.floor(atMs / (width * 1_000))
  return CANDLE_WIDTHS.filter((width) => bucketOf(before.lastEventAtMs, width) < bucketOf(after.lastEventAtMs, width))
}

/** Candles that were forming, and end. */
function closingColumns(changes: readonly PoolChange[]): unknown[] {
  const closing = changes.flatMap((change) => {
    const { tokenId, lastEventAtMs, seq } = change.before
    if (seq === 0) return []
    return opensOf(change).map((width) => ({
      tokenId,
      width,
      bucketMs: lastEventAtMs - (lastEventAtMs % (width * 1_000)),
    }))
  })
  return [
    texts(closing, ({ tokenId }) => tokenId),
    texts(closing, ({ width }) => width),
    texts(closing, ({ bucketMs }) => timeText(bucketMs)),
  ]
}

/**
 * Those of refused orders too, as they are: whoever repeats an order that was sent, and that nobody knows the end of, waits for its
 * lock on the account.
 */
function accountColumns({ accounts, refusedBy }: BatchChanges): unknown[] {
  const unchanged = [...refusedBy.accounts.values()].filter(({ userId }) => !accounts.has(userId))
  const changes = [
    ...accounts.values(),
    ...unchanged.map((account) => ({ before: account, after: account, realizedPnl: NOTHING })),
  ]
  changes.sort((a, b) => a.after.userId - b.after.userId)
  return [
    texts(changes, ({ after }) => after.userId),
    texts(changes, ({ before }) => before.balanceText),
    texts(changes, ({ after }) => after.balanceText),
    texts(changes, ({ realizedPnl }) => solText(realizedPnl)),
  ]
}

/** Those that no order of the batch changed: the others are looked at when they are written. */
function refusalColumns({ pools, refusedBy }: BatchChanges): unknown[] {
  const refusing = [...refusedBy.pools.values()].filter(({ tokenId }) => !pools.has(tokenId))
  return [
    texts(refusing, ({ tokenId }) => tokenId),
    texts(refusing, ({ seq }) => seq),
    texts(refusing, ({ isHidden }) => `${isHidden}`),
  ]
}

function holdingColumns(changes: readonly PoolChange[]): unknown[] {
  const holdings = changes.flatMap(({ after: { tokenId }, holdings }) =>
    [...holdings].map(([userId, change]) => ({ tokenId, userId, ...change })),
  )
  const columnsOf = (rows: readonly (HoldingChange & { tokenId: number; userId: number })[]) => [
    texts(rows, ({ tokenId }) => tokenId),
    texts(rows, ({ userId }) => userId),
    texts(rows, ({ after }) => after.amount),
    texts(rows, ({ after }) => after.cost),
  ]
  return [
    ...columnsOf(holdings.filter(({ before }) => before.isRow)),
    ...columnsOf(holdings.filter(({ before }) => !before.isRow)),
  ]
}

function tradeColumns(changes: BatchChanges): unknown[] {
  const entries = changes.entries('trade')
  const column = (read: (event: (typeof entries)[number]['event']) => string | number) =>
    texts(entries, ({ event }) => read(event))
  return [
    column(({ trade }) => trade.tokenId),
    column(({ trade }) => trade.seq),
    column(({ trade }) => trade.userId),
    column(({ trade }) => trade.side),
    column(({ trade }) => trade.solAmount),
    column(({ trade }) => trade.fee),
    column(({ trade }) => trade.tokenAmount),
    column(({ trade }) => trade.price),
    column(({ pool }) => pool.solReserve),
    column(({ pool }) => pool.tokenReserve),
    column(({ trade }) => trade.spotPrice),
    quoted(entries, ({ requestKey }) => requestKey),
    column(({ trade }) => trade.createdAt),
    hashes(entries, ({ hash }) => hash),
  ]
}
