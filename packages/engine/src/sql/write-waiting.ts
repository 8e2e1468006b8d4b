import type { TokenId } from '@papermoon/contract/ids'
import type pg from 'pg'
import type { BatchChanges, RecordedWaiting } from '../batch/changes.ts'
import type { Book } from '../waiting/book.ts'
import { manyRows } from './columns.ts'
import { formatTime } from './time-text.ts'

/**
 * Writes what became of waiting orders, then what their pools say of them, and sets the places of the changes. Rejects with
 * PM001 where an order is no longer as it was read: a job or an operator has ended it.
 */
export async function writeWaiting(client: pg.ClientBase, { waiting, digests, books }: BatchChanges): Promise<void> {
  const changes = [...waiting.values()]
  const placed = changes.filter(({ fillsBefore }) => fillsBefore === null)
  const changed = changes.filter(({ fillsBefore }) => fillsBefore !== null)
  if (placed.length > 0) {
    const columns = {
      ...STATE_COLUMNS,
      ...TERM_COLUMNS,
      digest: ({ order }: RecordedWaiting) => digests.get(order.id) ?? '',
    }
    setPlaces(waiting, await client.query({ ...INSERT, values: toValues(INSERTED, columns, placed) }))
  }
  if (changed.length > 0) {
    setPlaces(waiting, await client.query({ ...UPDATE, values: toValues(UPDATED, STATE_COLUMNS, changed) }))
  }
  if (books.size > 0) await client.query({ ...WRITE_BOOKS, values: toValues(BOOK, BOOK_COLUMNS, [...books]) })
}

function setPlaces(
  waiting: Map<number, RecordedWaiting>,
  { rows }: pg.QueryResult<{ readonly id: number; readonly position: number }>,
): void {
  for (const { id, position } of rows) {
    const change = waiting.get(id)
    if (change !== undefined) waiting.set(id, { ...change, place: position })
  }
}

/** Columns by name with their PostgreSQL types, in the order of their parameters. */
type Shape = Readonly<Record<string, string>>
type Read<Row> = (row: Row) => string | number | null

const STATE: Shape = {
  id: 'bigint',
  left_amount: 'numeric',
  below: 'numeric',
  above: 'numeric',
  filled_in: 'int',
  fills: 'int',
  state: 'text',
  cause: 'text',
  ended_at: 'timestamptz',
}
const UPDATED: Shape = { ...STATE, fills_before: 'int' }
const INSERTED: Shape = {
  ...STATE,
  token_id: 'int',
  user_id: 'int',
  account_id: 'int',
  kind: 'text',
  price: 'numeric',
  stop_price: 'numeric',
  least_price: 'numeric',
  amount: 'numeric',
  key_id: 'int',
  replaces: 'bigint',
  request_key: 'text',
  placed_at: 'timestamptz',
  expires_at: 'timestamptz',
  digest: 'text',
}
const BOOK: Shape = {
  token_id: 'int',
  book: 'int',
  cascade: 'int',
  cascade_from: 'numeric',
  cascade_low: 'numeric',
  cascade_batches: 'int',
}

const STATE_COLUMNS: Record<string, Read<RecordedWaiting>> = {
  id: ({ order }) => order.id,
  left_amount: ({ order }) => order.left.toFixed(),
  below: ({ order }) => order.below?.toFixed() ?? null,
  above: ({ order }) => order.above?.toFixed() ?? null,
  filled_in: ({ order }) => order.filledIn,
  fills: ({ order }) => order.fills,
  state: ({ state }) => state,
  cause: ({ cause }) => cause,
  ended_at: ({ endedAtMs }) => (endedAtMs === null ? null : formatTime(endedAtMs)),
  fills_before: ({ fillsBefore }) => fillsBefore,
}
const TERM_COLUMNS: Record<string, Read<RecordedWaiting>> = {
  token_id: ({ order }) => order.tokenId,
  user_id: ({ order }) => order.owner.userId,
  account_id: ({ order }) => order.owner.accountId,
  kind: ({ order }) => order.kind,
  price: ({ order }) => order.price?.toFixed() ?? null,
  stop_price: ({ order }) => order.stopPrice?.toFixed() ?? null,
  least_price: ({ order }) => order.leastPrice?.toFixed() ?? null,
  amount: ({ order }) => order.amount.toFixed(),
  key_id: ({ order }) => order.owner.keyId,
  replaces: ({ order }) => order.replaces,
  request_key: ({ order }) => order.requestKey,
  placed_at: ({ order }) => formatTime(order.placedAtMs),
  expires_at: ({ order }) => formatTime(order.expiresAtMs),
}
const BOOK_COLUMNS: Record<string, Read<readonly [TokenId, Book]>> = {
  token_id: ([tokenId]) => tokenId,
  book: ([, { version }]) => version,
  cascade: ([, { cascade }]) => cascade,
  cascade_from: ([, { running }]) => running?.from.toFixed() ?? null,
  cascade_low: ([, { running }]) => running?.low.toFixed() ?? null,
  cascade_batches: ([, { running }]) => running?.batches ?? 0,
}

/** One array a column. Only keys and digests may hold what an array's text has a meaning for. */
function toValues<Row>(shape: Shape, columns: Record<string, Read<Row>>, rows: readonly Row[]): string[] {
  return Object.keys(shape).map((name) => {
    const read = columns[name] ?? (() => null)
    const isFree = name === 'request_key' || name === 'digest'
    return isFree
      ? manyRows.quoted(rows, (row) => String(read(row)))
      : manyRows.texts(rows, (row) => read(row) ?? 'null')
  })
}

const unnest = (shape: Shape): string => {
  const arrays = Object.values(shape).map((type, i) => `$${i + 1}::${type}[]`)
  return `unnest(${arrays.join(', ')}) v (${Object.keys(shape).join(', ')})`
}

const INSERT = {
  name: 'place-waiting',
  text: `insert into waiting_orders (${Object.keys(INSERTED).join(', ')}) select v.* from ${unnest(INSERTED)}
    returning id, position`,
}

const UPDATE = {
  name: 'change-waiting',
  text: `
  with changed as (
    update waiting_orders w set left_amount = v.left_amount, below = v.below, above = v.above, filled_in = v.filled_in,
      fills = v.fills, state = v.state, cause = v.cause, ended_at = v.ended_at, position = nextval('trades_id_seq')
    from (
      select k.row, v.* from ${unnest(UPDATED)}
        cross join lateral (select w.ctid as row from waiting_orders w where w.id = v.id offset 0) k
    ) v
    where w.ctid = v.row and w.state = 'waiting' and w.fills = v.fills_before
    returning w.id, w.position
  ), current as materialized (
    select assert_current((select count(*) from changed) = cardinality($1::bigint[]))
  )
  select id, position from changed, current`,
}

/** The nearest triggers are those of the rows as the batch has written them. The pools are locked. */
const WRITE_BOOKS = {
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
  from ${unnest(BOOK)} where p.token_id = v.token_id`,
}
