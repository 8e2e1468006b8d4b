import type { TokenId } from '@papermoon/contract/ids'
import type pg from 'pg'
import type { BatchChanges, RecordedWaiting } from '../batch/changes.ts'
import { formatTime } from '../clock.ts'
import type { OrderBook } from '../waiting/waiting-order.ts'
import { manyRows } from './statements.ts'

/**
 * Writes the changed waiting orders, then their pools' order books. Rejects with PM001 if a job or an operator has
 * changed an order since it was read.
 */
export async function writeWaiting(client: pg.ClientBase, { waiting, books }: BatchChanges): Promise<void> {
  const changes = [...waiting.values()]
  const placed = changes.filter(({ fillsBefore }) => fillsBefore === null)
  const changed = changes.filter(({ fillsBefore }) => fillsBefore !== null)
  if (placed.length > 0) await client.query({ ...INSERT, values: toValues(PLACED, placed) })
  if (changed.length > 0) await client.query({ ...CHANGE_WAITING, values: toValues(CHANGED, changed) })
  if (books.size > 0) await client.query({ ...WRITE_BOOKS, values: toValues(BOOK, [...books]) })
}

/** Columns by name, in the order of their parameters. Each column has a PostgreSQL type and the value for a row. */
type Columns<Row> = Readonly<Record<string, readonly [type: string, read: (row: Row) => string | number | null]>>

const STATE: Columns<RecordedWaiting> = {
  id: ['bigint', ({ order }) => order.id],
  left_amount: ['numeric', ({ order }) => order.left.toFixed()],
  below: ['numeric', ({ order }) => order.below?.toFixed() ?? null],
  above: ['numeric', ({ order }) => order.above?.toFixed() ?? null],
  filled_in: ['int', ({ order }) => order.filledIn],
  fills: ['int', ({ order }) => order.fills],
  state: ['text', ({ state }) => state],
  cause: ['text', ({ cause }) => cause],
  ended_at: ['timestamptz', ({ endedAtMs }) => (endedAtMs === null ? null : formatTime(endedAtMs))],
  position: ['bigint', ({ place }) => place],
}
const CHANGED: Columns<RecordedWaiting> = { ...STATE, fills_before: ['int', ({ fillsBefore }) => fillsBefore] }
const PLACED: Columns<RecordedWaiting> = {
  ...STATE,
  token_id: ['int', ({ order }) => order.tokenId],
  user_id: ['int', ({ order }) => order.owner.userId],
  account_id: ['int', ({ order }) => order.owner.accountId],
  kind: ['text', ({ order }) => order.kind],
  price: ['numeric', ({ order }) => order.price?.toFixed() ?? null],
  stop_price: ['numeric', ({ order }) => order.stopPrice?.toFixed() ?? null],
  least_price: ['numeric', ({ order }) => order.leastPrice?.toFixed() ?? null],
  amount: ['numeric', ({ order }) => order.amount.toFixed()],
  key_id: ['int', ({ order }) => order.owner.keyId],
  replaces: ['bigint', ({ order }) => order.replaces],
  request_key: ['text', ({ order }) => order.requestKey],
  digest: ['text', ({ digest }) => digest],
  placed_at: ['timestamptz', ({ order }) => formatTime(order.placedAtMs)],
  expires_at: ['timestamptz', ({ order }) => formatTime(order.expiresAtMs)],
}
const BOOK: Columns<readonly [TokenId, OrderBook]> = {
  token_id: ['int', ([tokenId]) => tokenId],
  book: ['int', ([, { version }]) => version],
  cascade: ['int', ([, { cascade }]) => cascade],
  cascade_from: ['numeric', ([, { running }]) => running?.from.toFixed() ?? null],
  cascade_low: ['numeric', ([, { running }]) => running?.low.toFixed() ?? null],
  cascade_batches: ['int', ([, { running }]) => running?.batches ?? 0],
}

/** Returns one array per column. Texts are quoted, because a key can contain special characters of array literals. */
function toValues<Row>(columns: Columns<Row>, rows: readonly Row[]): string[] {
  return Object.values(columns).map(([type, read]) => {
    const format = (row: Row) => read(row) ?? 'null'
    const isFree = type === 'text' && rows.every((row) => read(row) !== null)
    return isFree ? manyRows.quoted(rows, (row) => String(format(row))) : manyRows.texts(rows, format)
  })
}

function unnest<Row>(columns: Columns<Row>): string {
  const arrays = Object.values(columns).map(([type], i) => `$${i + 1}::${type}[]`)
  return `unnest(${arrays.join(', ')}) v (${Object.keys(columns).join(', ')})`
}

const INSERT = {
  name: 'place-waiting',
  text: `insert into waiting_orders (${Object.keys(PLACED).join(', ')}) select v.* from ${unnest(PLACED)}`,
}

/**
 * Compares `ended_at` instead of the state, because a waiting order has no end. A plan for the state could read the
 * whole index of waiting orders.
 */
export const CHANGE_WAITING = {
  name: 'change-waiting',
  text: `
  with changed as (
    update waiting_orders w set left_amount = v.left_amount, below = v.below, above = v.above, filled_in = v.filled_in,
      fills = v.fills, state = v.state, cause = v.cause, ended_at = v.ended_at, position = v.position
    from (
      select k.row, v.* from ${unnest(CHANGED)}
        cross join lateral (select w.ctid as row from waiting_orders w where w.id = v.id offset 0) k
    ) v
    where w.ctid = v.row and w.ended_at is null and w.fills = v.fills_before
    returning 1
  )
  select assert_current((select count(*) from changed) = cardinality($1::bigint[]))`,
}

/** Reads the nearest triggers of locked pools from the rows that the batch has just written. */
export const WRITE_BOOKS = {
  name: 'write-books',
  text: `
  update pools p set book = v.book, cascade = v.cascade, cascade_from = v.cascade_from, cascade_low = v.cascade_low,
    cascade_batches = v.cascade_batches,
    book_below = greatest(
      (select w.below from waiting_orders w where w.token_id = v.token_id and w.state = 'waiting' and w.kind = 'buy'
        order by w.below desc limit 1),
      (select w.below from waiting_orders w where w.token_id = v.token_id and w.state = 'waiting' and w.kind <> 'buy'
        and w.below is not null order by w.below desc limit 1)),
    book_above = (select w.above from waiting_orders w where w.token_id = v.token_id and w.state = 'waiting'
      and w.above is not null order by w.above limit 1)
  from (
    select k.row, v.* from ${unnest(BOOK)}
      cross join lateral (select p.ctid as row from pools p where p.token_id = v.token_id offset 0) k
  ) v
  where p.ctid = v.row`,
}
