import type { TokenId } from '@papermoon/contract/ids'
import type pg from 'pg'
import type { BatchChanges, RecordedWaiting } from '../batch/changes.ts'
import type { Book } from '../waiting/book.ts'
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
    const rows = placed.map((change) => ({ ...toPlacedRow(change), digest: digests.get(change.order.id) }))
    setPlaces(waiting, await client.query(INSERT, [JSON.stringify(rows)]))
  }
  if (changed.length > 0) setPlaces(waiting, await client.query(UPDATE, [JSON.stringify(changed.map(toChangedRow))]))
  if (books.size > 0) await client.query(WRITE_BOOKS, [JSON.stringify([...books].map(toBookRow))])
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

function toChangedRow({ order, state, cause, endedAtMs, fillsBefore }: RecordedWaiting) {
  return {
    id: order.id,
    fills_before: fillsBefore,
    left_amount: order.left.toFixed(),
    below: order.below?.toFixed() ?? null,
    above: order.above?.toFixed() ?? null,
    filled_in: order.filledIn,
    fills: order.fills,
    state,
    cause,
    ended_at: endedAtMs === null ? null : formatTime(endedAtMs),
  }
}

function toPlacedRow(change: RecordedWaiting) {
  const { order } = change
  return {
    ...toChangedRow(change),
    token_id: order.tokenId,
    user_id: order.owner.userId,
    account_id: order.owner.accountId,
    kind: order.kind,
    price: order.price?.toFixed() ?? null,
    stop_price: order.stopPrice?.toFixed() ?? null,
    least_price: order.leastPrice?.toFixed() ?? null,
    amount: order.amount.toFixed(),
    key_id: order.owner.keyId,
    replaces: order.replaces,
    request_key: order.requestKey,
    placed_at: formatTime(order.placedAtMs),
    expires_at: formatTime(order.expiresAtMs),
  }
}

function toBookRow([tokenId, { version, cascade, running }]: readonly [TokenId, Book]) {
  return {
    token_id: tokenId,
    book: version,
    cascade,
    cascade_from: running?.from.toFixed() ?? null,
    cascade_low: running?.low.toFixed() ?? null,
    cascade_batches: running?.batches ?? 0,
  }
}

const STATE = `left_amount numeric, below numeric, above numeric, filled_in int, fills int, state text, cause text,
  ended_at timestamptz`
const STATE_NAMES = 'left_amount, below, above, filled_in, fills, state, cause, ended_at'
const TERMS = `id bigint, token_id int, user_id int, account_id int, kind text, price numeric, stop_price numeric,
  least_price numeric, amount numeric, key_id int, replaces bigint, request_key text, digest text, placed_at timestamptz,
  expires_at timestamptz`
const TERM_NAMES = `id, token_id, user_id, account_id, kind, price, stop_price, least_price, amount, key_id, replaces,
  request_key, digest, placed_at, expires_at`

const INSERT = `
  insert into waiting_orders (${TERM_NAMES}, ${STATE_NAMES})
  select ${TERM_NAMES}, ${STATE_NAMES} from jsonb_to_recordset($1::jsonb) as r (${TERMS}, ${STATE})
  returning id, position`

const UPDATE = `
  with changed as (
    update waiting_orders w set left_amount = v.left_amount, below = v.below, above = v.above, filled_in = v.filled_in,
      fills = v.fills, state = v.state, cause = v.cause, ended_at = v.ended_at, position = nextval('trades_id_seq')
    from (
      select k.row, v.* from jsonb_to_recordset($1::jsonb) as v (id bigint, fills_before int, ${STATE})
        cross join lateral (select w.ctid as row from waiting_orders w where w.id = v.id offset 0) k
    ) v
    where w.ctid = v.row and w.state = 'waiting' and w.fills = v.fills_before
    returning w.id, w.position
  ), current as materialized (
    select assert_current((select count(*) from changed) = jsonb_array_length($1::jsonb))
  )
  select id, position from changed, current`

/** The nearest triggers are those of the rows as the batch has written them. The pools are locked. */
const WRITE_BOOKS = `
  update pools p set book = v.book, cascade = v.cascade, cascade_from = v.cascade_from, cascade_low = v.cascade_low,
    cascade_batches = v.cascade_batches,
    book_below = greatest(
      (select w.below from waiting_orders w where w.token_id = v.token_id and w.state = 'waiting' and w.kind = 'buy'
        order by w.below desc limit 1),
      (select w.below from waiting_orders w where w.token_id = v.token_id and w.state = 'waiting' and w.kind <> 'buy'
        and w.below is not null order by w.below desc limit 1)),
    book_above = (select w.above from waiting_orders w where w.token_id = v.token_id and w.state = 'waiting'
      and w.above is not null order by w.above limit 1)
  from jsonb_to_recordset($1::jsonb) as v (token_id int, book int, cascade int, cascade_from numeric,
    cascade_low numeric, cascade_batches int)
  where p.token_id = v.token_id`
