/** Columns of a part of the statement: their names, and their types in PostgreSQL. */
type Shape = Readonly<Record<string, string>>

const POOL: Shape = {
  token_id: 'int',
  seq_before: 'bigint',
  is_hidden: 'boolean',
  sol_reserve: 'numeric',
  token_reserve: 'numeric',
  fees: 'numeric',
  price: 'numeric',
  seq: 'bigint',
  last_event_at: 'timestamptz',
  chain_head: 'bytea',
  opens: 'int',
  high: 'numeric',
  low: 'numeric',
  volume: 'numeric',
  trades: 'int',
}
const ACCOUNT: Shape = { user_id: 'int', balance_before: 'numeric', sol_balance: 'numeric', realized_pnl: 'numeric' }
const REFUSAL: Shape = { token_id: 'int', seq: 'bigint', is_hidden: 'boolean' }
const CLOSING: Shape = { token_id: 'int', width: 'int', bucket: 'timestamptz' }
const HOLDING: Shape = { token_id: 'int', user_id: 'int', amount: 'numeric', cost: 'numeric' }
const TRADE: Shape = {
  token_id: 'int',
  seq: 'bigint',
  user_id: 'int',
  side: 'text',
  sol_amount: 'numeric',
  fee: 'numeric',
  token_amount: 'numeric',
  price: 'numeric',
  sol_reserve: 'numeric',
  token_reserve: 'numeric',
  spot_price: 'numeric',
  request_key: 'text',
  created_at: 'timestamptz',
  hash: 'bytea',
}

/** The parts in the order in which their parameters come. */
const SHAPES = {
  pools: POOL,
  accounts: ACCOUNT,
  refusing: REFUSAL,
  closing: CLOSING,
  holdings: HOLDING,
  newHoldings: HOLDING,
  trades: TRADE,
} satisfies Record<string, Shape>

/** A part of the statement: the rows of one kind. */
export type Part = keyof typeof SHAPES
export const PARTS = Object.keys(SHAPES) as Part[]

/** Number of a part's first parameter. */
function firstOf(part: Part): number {
  const before = PARTS.slice(0, PARTS.indexOf(part))
  return 1 + before.reduce((sum, one) => sum + Object.keys(SHAPES[one]).length, 0)
}

/** How parameters stand for rows. */
interface Source {
  /** A table `v` of the part's rows. */
  rows(part: Part): string
  /** How many rows that is. */
  count(part: Part): string
}

/** Each parameter is a column of any number of rows. */
const many: Source = {
  rows: (part) => {
    const parameters = Object.values(SHAPES[part]).map((type, i) => `$${firstOf(part) + i}::${type}[]`)
    return `unnest(${parameters.join(', ')}) v (${Object.keys(SHAPES[part]).join(', ')})`
  },
  count: (part) => `cardinality($${firstOf(part)}::int[])`,
}

/** Each parameter is a value of the only row; all of them are null where there is none. */
const one: Source = {
  rows: (part) => {
    const first = firstOf(part)
    const values = Object.entries(SHAPES[part]).map(([name, type], i) => `$${first + i}::${type} as ${name}`)
    return `(select ${values.join(', ')} where $${first}::int is not null) v`
  },
  count: (part) => `($${firstOf(part)}::int is not null)::int`,
}

/** The forming candle of a width: begun anew at the price before where the width's last one closed. */
const forming = (name: 'minute' | 'hour' | 'day', place: number): string => `
      ${name}_open = case when v.opens < ${place} then p.${name}_open else p.price end,
      ${name}_high = greatest(case when v.opens < ${place} then p.${name}_high end, v.high),
      ${name}_low = least(case when v.opens < ${place} then p.${name}_low end, v.low),
      ${name}_volume = case when v.opens < ${place} then p.${name}_volume else 0 end + v.volume,
      ${name}_trades = case when v.opens < ${place} then p.${name}_trades else 0 end + v.trades`

const closing = (column: 'open' | 'high' | 'low' | 'volume' | 'trades'): string =>
  `case v.width when 60 then p.minute_${column} when 3600 then p.hour_${column} else p.day_${column} end`

// Pools first, then accounts, each in the order of ids, in which their columns come: the one lock order of the product. What
// else there is waits for those locks by asking for their count. Each row is looked up by key out of its column: `lateral` and
// `offset` leave the planner no other way, however small the tables were when it planned. What a row has to be like is said
// outside as well: there it is looked at again when somebody changed the row while this waited for its lock.
const writeStatement = ({ rows, count }: Source): string => `
  with pool as (
    update pools p set sol_reserve = v.sol_reserve, token_reserve = v.token_reserve, fees = v.fees, price = v.price,
      seq = v.seq, last_event_at = v.last_event_at, chain_head = v.chain_head,
      ${forming('minute', 1)},
      ${forming('hour', 2)},
      ${forming('day', 3)}
    from (
      select k.row, v.* from ${rows('pools')}
        cross join lateral (select p.ctid as row from pools p join tokens t on t.id = p.token_id
          where p.token_id = v.token_id and (t.hidden_at is not null) = v.is_hidden offset 0) k
    ) v
    where p.ctid = v.row and p.seq = v.seq_before
    returning 1
  ), account as (
    update accounts a set sol_balance = v.sol_balance, realized_pnl = a.realized_pnl + v.realized_pnl
    from (
      select k.row, v.* from ${rows('accounts')}
        cross join lateral (select a.ctid as row from accounts a where a.user_id = v.user_id offset 0) k
    ) v
    where a.ctid = v.row and a.sol_balance = v.balance_before and (select count(*) from pool) >= 0
    returning 1
  ), locked as materialized (
    select (select count(*) from pool) = ${count('pools')}
       and (select count(*) from account) = ${count('accounts')}
       and not exists (select from ${rows('refusing')}
         left join lateral (select p.token_id from pools p join tokens t on t.id = p.token_id
           where p.token_id = v.token_id and p.seq = v.seq and (t.hidden_at is not null) = v.is_hidden offset 0) k on true
         where k.token_id is null)
       as is_current
  ), current as materialized (
    select assert_current(is_current) from locked
  ), closed as (
    insert into closed_candles (token_id, width, bucket, open, high, low, close, volume, trades)
    select v.token_id, v.width, v.bucket, ${closing('open')}, ${closing('high')}, ${closing('low')}, p.price,
      ${closing('volume')}, ${closing('trades')}
    from ${rows('closing')}
      cross join lateral (select * from pools p where p.token_id = v.token_id offset 0) p
  ), holding as (
    update holdings h set amount = v.amount, cost = v.cost
    from (
      select k.row, v.* from ${rows('holdings')}
        cross join lateral (select h.ctid as row from holdings h
          where h.token_id = v.token_id and h.user_id = v.user_id offset 0) k
    ) v
    where h.ctid = v.row
    returning 1
  ), new_holding as (
    insert into holdings (token_id, user_id, amount, cost) select v.* from ${rows('newHoldings')}
  ), trade as (
    insert into trades (${Object.keys(TRADE).join(', ')}) select v.* from current, ${rows('trades')}
    returning id
  )
  select (select string_agg(id::text, ',' order by id) from trade) as ids,
    assert_current((select count(*) from holding) = ${count('holdings')}), (select count(*) from current)`

/** Writes a batch of any number of orders. Returns the trades' ids in one text; a row that has changed undoes all of it (PM001). */
export const WRITE_MANY = writeStatement(many)

/** The same of a batch that has one row of each kind at most: half the work for PostgreSQL where an order comes alone. */
export const WRITE_ONE = writeStatement(one)
