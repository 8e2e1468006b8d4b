/** The PostgreSQL type of each column of a part, by name. */
export type Shape = Readonly<Record<string, string>>

/** Parses columns in SQL's notation, such as `token_id int, seq bigint`. */
export function toShape(...columns: readonly string[]): Shape {
  return Object.fromEntries(columns.flatMap((list) => list.split(', ')).map((column) => column.split(' ')))
}

const POOL = toShape(
  'token_id int, seq_before bigint, is_hidden boolean, seals int, book int, sol_reserve numeric',
  'token_reserve numeric, fees numeric, price numeric, seq bigint, last_event_at timestamptz',
  'chain_head bytea, opens int, high numeric, low numeric, volume numeric, trades int',
)
const ACCOUNT = toShape('account_id int, balance_before numeric, sol_balance numeric, realized_pnl numeric')
const UNMODIFIED_POOL = toShape('token_id int, seq bigint, is_hidden boolean, seals int, book int')
const CLOSING_CANDLE = toShape('token_id int, width int, bucket timestamptz')
export const HOLDING = toShape('token_id int, user_id int, amount numeric, cost numeric')
export const TRADE = toShape(
  'id bigint, token_id int, seq bigint, user_id int, side text, sol_amount numeric, fee numeric, token_amount numeric',
  'price numeric, sol_reserve numeric, token_reserve numeric, spot_price numeric, request_key text',
  'created_at timestamptz, hash bytea',
)

const SPENDING = toShape('key_id int, day_before date, spent_before numeric, spent_on date, spent numeric')

/**
 * The parts in the order of their parameters, which begin with the number of positions to reserve. A batch can omit
 * `spendings`.
 */
const SHAPES = {
  pools: POOL,
  accounts: ACCOUNT,
  unmodifiedPools: UNMODIFIED_POOL,
  closingCandles: CLOSING_CANDLE,
  holdings: HOLDING,
  newHoldings: HOLDING,
  trades: TRADE,
  spendings: SPENDING,
} satisfies Record<string, Shape>

/** A part of the statement, for rows of one kind. */
export type Part = keyof typeof SHAPES
export const PARTS = Object.keys(SHAPES) as Part[]

function firstParameter(part: Part): number {
  const before = PARTS.slice(0, PARTS.indexOf(part))
  return 2 + before.reduce((sum, earlier) => sum + Object.keys(SHAPES[earlier]).length, 0)
}

/** The SQL that turns parameters into rows. */
interface RowSource {
  /** Returns SQL for a table `v` with the part's rows. */
  rows(part: Part): string
  /** Returns SQL for the number of the part's rows. */
  count(part: Part): string
}

/** Reads the parameters as arrays, one per column, for any number of rows. */
const manyRows: RowSource = {
  rows: (part) => {
    const parameters = Object.values(SHAPES[part]).map((type, i) => `$${firstParameter(part) + i}::${type}[]`)
    return `unnest(${parameters.join(', ')}) v (${Object.keys(SHAPES[part]).join(', ')})`
  },
  count: (part) => `cardinality($${firstParameter(part)}::int[])`,
}

/** Reads the parameters as the values of the part's only row, or null if the part is empty. */
const oneRow: RowSource = {
  rows: (part) => {
    const first = firstParameter(part)
    const values = Object.entries(SHAPES[part]).map(([name, type], i) => `$${first + i}::${type} as ${name}`)
    return `(select ${values.join(', ')} where $${first} is not null) v`
  },
  count: (part) => `($${firstParameter(part)}::int is not null)::int`,
}

/**
 * Returns the assignments for the forming candle of a width. `index` is the width's position in CANDLE_WIDTHS, counted
 * from 1. If the previous candle closes (`opens` >= index), the new candle begins at the price before this batch.
 */
const updateFormingCandle = (name: 'minute' | 'hour' | 'day', index: number): string => `
      ${name}_open = case when v.opens < ${index} then p.${name}_open else p.price end,
      ${name}_high = greatest(case when v.opens < ${index} then p.${name}_high end, v.high),
      ${name}_low = least(case when v.opens < ${index} then p.${name}_low end, v.low),
      ${name}_volume = case when v.opens < ${index} then p.${name}_volume else 0 end + v.volume,
      ${name}_trades = case when v.opens < ${index} then p.${name}_trades else 0 end + v.trades`

const selectFormingCandle = (column: 'open' | 'high' | 'low' | 'volume' | 'trades'): string =>
  `case v.width when 60 then p.minute_${column} when 3600 then p.hour_${column} else p.day_${column} end`

/** Updates pools whose `seq`, visibility, number of seals and order book are as the batch expects. */
const updatePools = ({ rows }: RowSource): string => `
    update pools p set sol_reserve = v.sol_reserve, token_reserve = v.token_reserve, fees = v.fees, price = v.price,
      seq = v.seq, last_event_at = v.last_event_at, chain_head = v.chain_head,
      ${updateFormingCandle('minute', 1)},
      ${updateFormingCandle('hour', 2)},
      ${updateFormingCandle('day', 3)}
    from (
      select k.row, v.* from ${rows('pools')}
        cross join lateral (select p.ctid as row from pools p join tokens t on t.id = p.token_id
          where p.token_id = v.token_id and (t.hidden_at is not null) = v.is_hidden offset 0) k
    ) v
    where p.ctid = v.row and p.seq = v.seq_before and p.seals = v.seals and p.book = v.book
    returning 1`

/** Updates accounts whose balance is as the batch expects, after the pools are locked. */
const updateAccounts = ({ rows }: RowSource): string => `
    update accounts a set sol_balance = v.sol_balance, realized_pnl = a.realized_pnl + v.realized_pnl
    from (
      select k.row, v.* from ${rows('accounts')}
        cross join lateral (select a.ctid as row from accounts a where a.account_id = v.account_id offset 0) k
    ) v
    where a.ctid = v.row and a.sol_balance = v.balance_before and (select count(*) from pool) >= 0
    returning 1`

/** Selects whether every pool and account was updated, and whether all other pools are unchanged. */
const selectIsCurrent = ({ rows, count }: RowSource): string => `
    select (select count(*) from pool) = ${count('pools')}
       and (select count(*) from account) = ${count('accounts')}
       and not exists (select from ${rows('unmodifiedPools')}
         left join lateral (select p.token_id from pools p join tokens t on t.id = p.token_id
           where p.token_id = v.token_id and p.seq = v.seq and p.seals = v.seals and p.book = v.book
             and (t.hidden_at is not null) = v.is_hidden offset 0) k on true
         where k.token_id is null)
       as is_current`

/** Inserts the candles that end with this batch, from the pools as they were before the update. */
const insertClosedCandles = ({ rows }: RowSource): string => `
    insert into closed_candles (token_id, width, bucket, open, high, low, close, volume, trades)
    select v.token_id, v.width, v.bucket, ${selectFormingCandle('open')}, ${selectFormingCandle('high')}, ${selectFormingCandle('low')}, p.price,
      ${selectFormingCandle('volume')}, ${selectFormingCandle('trades')}
    from ${rows('closingCandles')}
      cross join lateral (select * from pools p where p.token_id = v.token_id offset 0) p`

const updateHoldings = ({ rows }: RowSource): string => `
    update holdings h set amount = v.amount, cost = v.cost
    from (
      select k.row, v.* from ${rows('holdings')}
        cross join lateral (select h.ctid as row from holdings h
          where h.token_id = v.token_id and h.user_id = v.user_id offset 0) k
    ) v
    where h.ctid = v.row
    returning 1`

/** Updates the SOL that API keys have spent, if it is as the batch expects, after locking the players' accounts. */
const updateSpendings = ({ rows }: RowSource): string => `
    update api_keys s set spent = v.spent, spent_on = v.spent_on
    from (
      select k.row, v.* from ${rows('spendings')}
        cross join lateral (select s.ctid as row from api_keys s where s.id = v.key_id offset 0) k
    ) v
    where s.ctid = v.row and s.spent = v.spent_before and coalesce(s.spent_on, '-infinity') = v.day_before
      and (select count(*) from account) >= 0
    returning 1`

/**
 * Reserves the positions of a batch that contains only trades. The counter is locked last, and stays locked until the
 * commit. Because of this lock, positions follow the commits, and a transaction that has locked the counter waits for
 * no other row.
 */
const reservePositions = ({ hasSpendings }: { hasSpendings: boolean }): string => `
    update journal set position = position + $1::bigint
    where is_only and $1 > 0 and (select count(*) from current) >= 0
      ${hasSpendings ? 'and (select count(*) from spending) >= 0' : ''}
    returning position - $1 as before`

/**
 * Returns the statement that writes all changes of a batch. The statement locks pools first, then accounts, each by id,
 * as everywhere in the product. The other parts read the number of locked rows, so they wait for the locks. `lateral`
 * with `offset 0` forces a lookup by key for each row, even if the tables were small when PostgreSQL planned the
 * statement. The conditions are repeated outside the lateral query, because after a wait for a lock PostgreSQL checks
 * only these again.
 */
const writeStatement = (source: RowSource, { hasSpendings }: { hasSpendings: boolean }): string => `
  with pool as (${updatePools(source)}
  ), account as (${updateAccounts(source)}
  ), locked as materialized (${selectIsCurrent(source)}
  ), current as materialized (
    select assert_current(is_current) from locked
  ), closed as (${insertClosedCandles(source)}
  ), holding as (${updateHoldings(source)}
  ), new_holding as (
    insert into holdings (token_id, user_id, amount, cost) select v.* from ${source.rows('newHoldings')}
  )${hasSpendings ? `, spending as (${updateSpendings(source)}\n  )` : ''}, reserved as (${reservePositions({ hasSpendings })}
  ), trade as (
    insert into trades (${Object.keys(TRADE).join(', ')})
    select coalesce((select before from reserved), 0) + v.id, ${Object.keys(TRADE).slice(1).join(', ')}
    from current, ${source.rows('trades')}
  )
  select (select before::text from reserved),
    ${hasSpendings ? `assert_current((select count(*) from spending) = ${source.count('spendings')}),` : ''}
    assert_current((select count(*) from holding) = ${source.count('holdings')}), (select count(*) from current)`

/**
 * Writes a batch of any size. Returns the position before the trades if the statement reserved positions. If a row has
 * changed, fails with PM001 and writes nothing.
 */
export const WRITE_MANY = writeStatement(manyRows, { hasSpendings: false })

/** Writes a batch with at most one row per part, such as a single order. This statement halves PostgreSQL's work. */
export const WRITE_ONE = writeStatement(oneRow, { hasSpendings: false })

/** The same two statements for batches with orders that count against API keys' spending limits. */
export const WRITE_MANY_LIMITED = writeStatement(manyRows, { hasSpendings: true })
export const WRITE_ONE_LIMITED = writeStatement(oneRow, { hasSpendings: true })
