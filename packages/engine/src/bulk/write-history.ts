import { priceText, solText, tokensText } from '@papermoon/amm'
import { formatTime } from '../clock.ts'
import { manyRows } from '../sql/statements.ts'
import { holdingColumns, tradeColumns } from '../sql/write.ts'
import { type StatementRunner, writeLaunches, writeRugs, writeSeals } from '../sql/write-creator-orders.ts'
import { HOLDING, type Shape, TRADE, toShape } from '../sql/write-statement.ts'
import type { Candle } from './candles.ts'
import type { HistoryAccount, MarketHistory } from './history.ts'

/**
 * Max number of rows per statement. This number of rows needs few round trips, and at most some megabytes of
 * parameters.
 */
const CHUNK = 5_000

/** A connection that returns rows. */
interface RowReader {
  query(text: string, values: unknown[]): Promise<{ readonly rows: readonly unknown[] }>
}

/**
 * Reserves the positions of a history and returns the first one. Call this function in a short transaction before that
 * of `writeHistory`, because no other transaction can write until this one ends. Readers skip these positions, because
 * they have no rows yet, so nobody gets events of a history.
 */
export async function reservePositions(client: RowReader, count: number): Promise<number> {
  const { rows } = await client.query('select next_position($1) as first', [count])
  const [row] = rows as readonly { readonly first: string | number }[]
  return Number(row?.first)
}

/**
 * Inserts a history in the caller's transaction: launches, trades, rug pulls, seals, candles and holdings, and the last
 * state of pools and accounts. The positions begin with `first`. Rejects with PM001 if a player's balance has changed
 * since the history began.
 */
export async function writeHistory(client: StatementRunner, history: MarketHistory, first: number): Promise<void> {
  let next = first
  for (const launch of history.launches) launch.position = next++
  const firstTrade = next
  next += history.trades.length
  for (const entry of [...history.rugs, ...history.seals]) entry.position = next++
  await updateAccounts(client, [...history.accounts.values()], history)
  await writeLaunches(client, history.launches)
  // Write rug pulls before updating pools, because only a pool without virtual SOL may be empty.
  if (history.rugs.length > 0) await writeRugs(client, history.rugs)
  await updatePools(client, history)
  // Write seals after updating pools. If the seals were written first, a trigger would reject the update as a sale of
  // sealed tokens, because the holdings are not written yet.
  if (history.seals.length > 0) {
    await writeSeals(client, history.seals)
    await client.query(END_SEALS, [history.launches.map(({ tokenId }) => tokenId), history.seals.length])
  }
  await insertTrades(client, history, firstTrade)
  const candles = { table: 'closed_candles', shape: CANDLE, toColumns: candleColumns }
  await insertRows(client, candles, history.candles.closed)
  await insertHoldings(client, history)
}

/**
 * Marks ended seals as notified, so that nobody gets a notice about them. Their ends get reserved positions, after those
 * of all seals, because the end of an old seal is no news either.
 */
const END_SEALS = `
  update seals s set told = 3, ended_position = case when p.seals = s.n then s.position + $2::int end
  from pools p
  where p.token_id = s.token_id and s.token_id = any ($1::int[]) and (s.until <= now() or p.seals <> s.n)`

async function insertHoldings(client: StatementRunner, history: MarketHistory): Promise<void> {
  const holdings = [...history.holdings].flatMap(([tokenId, byUser]) =>
    [...byUser].map(([userId, after]) => ({ tokenId, userId, after })),
  )
  const toColumns = (rows: typeof holdings) => holdingColumns(manyRows, rows)
  await insertRows(client, { table: 'holdings', shape: HOLDING, toColumns }, holdings)
}

async function insertTrades(client: StatementRunner, { trades }: MarketHistory, first: number): Promise<void> {
  let after = first - 1
  const toColumns = (rows: MarketHistory['trades']) => {
    const columns = tradeColumns(manyRows, rows, after)
    after += rows.length
    return columns
  }
  await insertRows(client, { table: 'trades', shape: TRADE, toColumns }, trades)
}

const CANDLE = toShape(
  'token_id int, width int, bucket timestamptz, open numeric, high numeric, low numeric, close numeric',
  'volume numeric, trades int',
)

function candleColumns(candles: readonly Candle[]): unknown[] {
  const { texts } = manyRows
  return [
    texts(candles, ({ tokenId }) => tokenId),
    texts(candles, ({ width }) => width),
    texts(candles, ({ bucketMs }) => formatTime(bucketMs)),
    texts(candles, ({ open }) => priceText(open)),
    texts(candles, ({ high }) => priceText(high)),
    texts(candles, ({ low }) => priceText(low)),
    texts(candles, ({ close }) => priceText(close)),
    texts(candles, ({ volume }) => solText(volume)),
    texts(candles, ({ trades }) => trades),
  ]
}

interface Target<T> {
  readonly table: string
  readonly shape: Shape
  toColumns(rows: readonly T[]): unknown[]
}

/** Inserts rows in order, `CHUNK` rows per statement. */
async function insertRows<T>(
  client: StatementRunner,
  { table, shape, toColumns }: Target<T>,
  rows: readonly T[],
): Promise<void> {
  const names = Object.keys(shape).join(', ')
  const parameters = Object.values(shape).map((type, i) => `$${i + 1}::${type}[]`)
  const statement = `insert into ${table} (${names}) select * from unnest(${parameters.join(', ')})`
  for (let from = 0; from < rows.length; from += CHUNK) {
    await client.query(statement, toColumns(rows.slice(from, from + CHUNK)))
  }
}

async function updateAccounts(
  client: StatementRunner,
  accounts: readonly HistoryAccount[],
  { market }: MarketHistory,
): Promise<void> {
  const { texts } = manyRows
  const ordered = accounts.toSorted((a, b) => a.before.userId - b.before.userId)
  await client.query(UPDATE_ACCOUNTS, [
    texts(ordered, ({ before }) => before.userId),
    texts(ordered, ({ before }) => before.balanceText),
    texts(ordered, ({ before }) => (market.account(before.userId) ?? before).balanceText),
    texts(ordered, ({ realizedPnl }) => solText(realizedPnl)),
  ])
}

export const UPDATE_ACCOUNTS = `
  with account as (
    update accounts a set sol_balance = v.after, realized_pnl = a.realized_pnl + v.realized_pnl
    from unnest($1::int[], $2::numeric[], $3::numeric[], $4::numeric[]) v (user_id, before, after, realized_pnl)
    where a.user_id = v.user_id and a.sol_balance = v.before
    returning 1
  )
  select assert_current((select count(*) from account) = cardinality($1::int[]))`

async function updatePools(client: StatementRunner, { market, launches, candles }: MarketHistory): Promise<void> {
  const rows = launches.map(({ tokenId }) => {
    const pool = market.pool(tokenId)
    if (pool === undefined) throw new Error(`no pool of token ${tokenId}`)
    const [minute, hour, day] = candles.forming(tokenId) ?? []
    return {
      token_id: tokenId,
      sol_reserve: solText(pool.pool.sol),
      token_reserve: tokensText(pool.pool.tokens),
      fees: solText(pool.fees),
      price: priceText(pool.price),
      seq: pool.seq,
      last_event_at: formatTime(pool.lastEventAtMs),
      chain_head: `\\x${pool.chainHead}`,
      ...nameFigures('minute', minute),
      ...nameFigures('hour', hour),
      ...nameFigures('day', day),
    }
  })
  await client.query(UPDATE_POOLS, [JSON.stringify(rows)])
}

function nameFigures(name: 'minute' | 'hour' | 'day', candle: Candle | undefined): Record<string, string | number> {
  if (candle === undefined) return {}
  return {
    [`${name}_open`]: priceText(candle.open),
    [`${name}_high`]: priceText(candle.high),
    [`${name}_low`]: priceText(candle.low),
    [`${name}_volume`]: solText(candle.volume),
    [`${name}_trades`]: candle.trades,
  }
}

const POOL: Shape = {
  ...toShape(
    'token_id int, sol_reserve numeric, token_reserve numeric, fees numeric',
    'price numeric, seq bigint, last_event_at timestamptz, chain_head bytea',
  ),
  ...Object.fromEntries(
    ['minute', 'hour', 'day'].flatMap((name) => [
      ...['open', 'high', 'low', 'volume'].map((figure) => [`${name}_${figure}`, 'numeric']),
      [`${name}_trades`, 'int'],
    ]),
  ),
}

const UPDATE_POOLS = `
  update pools p set ${Object.keys(POOL)
    .filter((column) => column !== 'token_id')
    .map((column) => `${column} = v.${column}`)
    .join(', ')}
  from jsonb_to_recordset($1::jsonb) v (${Object.entries(POOL)
    .map(([column, type]) => `${column} ${type}`)
    .join(', ')})
  where p.token_id = v.token_id`
