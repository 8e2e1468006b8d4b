import { type Decimal, LAUNCH_FEE, launchPool, priceText, SUPPLY, solText, tokensText } from '@papermoon/amm'
import type { BatchChanges, LaunchEntry, RugEntry, TradeEntry } from './batch-changes.ts'
import { hashes, quoted, remembered, texts } from './columns.ts'
import type { LockedClient } from './read-store.ts'

/** Writes everything a batch changed: set-based statements, each row once. */
export async function writeChanges(client: LockedClient, changes: BatchChanges): Promise<void> {
  const launches = changes.entries('launch')
  if (launches.length > 0) await writeLaunches(client, launches)
  const rugs = changes.entries('rug')
  if (rugs.length > 0) await writeRugs(client, rugs)
  const trades = changes.entries('trade')
  const result = await client.query<{ pools: number; accounts: number }>({
    name: 'write-batch',
    text: WRITE_BATCH,
    values: [
      ...poolColumns(changes),
      ...accountColumns(changes),
      ...positionColumns(changes),
      ...candleColumns(changes),
      ...tradeColumns(trades),
    ],
  })
  const written = result.rows[0]
  if (written?.pools !== changes.pools.size || written.accounts !== changes.accounts.size) {
    throw new Error('a locked pool or account was not there to be written')
  }
}

async function writeLaunches(client: LockedClient, launches: readonly LaunchEntry[]): Promise<void> {
  const { sol, virtualSol, tokens } = launchPool()
  const rows = launches.map(({ tokenId, order: { token }, creator, price, hash, atMs, requestKey, fingerprint }) => ({
    id: tokenId,
    creator_id: creator.id,
    ...token,
    price: priceText(price),
    request_key: requestKey,
    request_hash: fingerprint,
    created_at: new Date(atMs).toISOString(),
    hash: `\\x${hash}`,
  }))
  await client.query(WRITE_LAUNCHES, [
    JSON.stringify(rows),
    tokensText(SUPPLY),
    solText(LAUNCH_FEE),
    solText(sol),
    solText(virtualSol),
    tokensText(tokens),
  ])
}

/** Before the pools are written: a pool without virtual SOL may be empty. */
async function writeRugs(client: LockedClient, rugs: readonly RugEntry[]): Promise<void> {
  await client.query(WRITE_RUGS, [
    texts(rugs, ({ rug }) => rug.tokenId),
    texts(rugs, ({ rug }) => rug.seq),
    texts(rugs, ({ rug }) => rug.userId),
    texts(rugs, ({ rug }) => rug.amount),
    quoted(rugs, ({ requestKey }) => requestKey),
    texts(rugs, ({ rug }) => rug.createdAt),
    hashes(rugs, ({ hash }) => hash),
  ])
}

function poolColumns({ pools }: BatchChanges): unknown[] {
  const rows = [...pools.values()]
  return [
    texts(rows, (row) => row.tokenId),
    texts(rows, (row) => solText(row.pool.sol)),
    texts(rows, (row) => tokensText(row.pool.tokens)),
    texts(rows, (row) => solText(row.fees)),
    texts(rows, (row) => priceText(row.price)),
    texts(rows, (row) => row.seq),
    texts(rows, (row) => new Date(row.lastEventAtMs).toISOString()),
    hashes(rows, (row) => row.chainHead),
  ]
}

function accountColumns({ accounts }: BatchChanges): unknown[] {
  const rows = [...accounts.values()]
  return [
    texts(rows, (row) => row.userId),
    texts(rows, (row) => solText(row.balance)),
    texts(rows, (row) => solText(row.realizedPnl)),
  ]
}

function positionColumns({ positions }: BatchChanges): unknown[] {
  const rows = [...positions.values()]
  return [
    texts(rows, (row) => row.tokenId),
    texts(rows, (row) => row.userId),
    texts(rows, (row) => tokensText(row.position.amount)),
    texts(rows, (row) => solText(row.position.cost)),
  ]
}

function candleColumns({ candles }: BatchChanges): unknown[] {
  const rows = candles.all()
  // A token's candles of different widths mostly share their figures, and their times.
  const figure = remembered((amount: Decimal) => amount.toFixed())
  const time = remembered((ms: number) => new Date(ms).toISOString())
  return [
    texts(rows, (row) => row.tokenId),
    texts(rows, (row) => row.width),
    texts(rows, (row) => time(row.bucketMs)),
    texts(rows, (row) => figure(row.open)),
    texts(rows, (row) => figure(row.high)),
    texts(rows, (row) => figure(row.low)),
    texts(rows, (row) => figure(row.close)),
    texts(rows, (row) => figure(row.volume)),
    texts(rows, (row) => row.trades),
  ]
}

function tradeColumns(entries: readonly TradeEntry[]): unknown[] {
  const column = (read: (entry: TradeEntry) => string | number) => texts(entries, read)
  return [
    column(({ effect }) => effect.trade.id),
    column(({ effect }) => effect.trade.tokenId),
    column(({ effect }) => effect.trade.seq),
    column(({ effect }) => effect.trade.userId),
    column(({ effect }) => effect.trade.side),
    column(({ effect }) => effect.trade.solAmount),
    column(({ effect }) => effect.trade.fee),
    column(({ effect }) => effect.trade.tokenAmount),
    column(({ effect }) => effect.trade.price),
    column(({ effect }) => effect.event.pool.solReserve),
    column(({ effect }) => effect.event.pool.tokenReserve),
    column(({ effect }) => effect.trade.spotPrice),
    quoted(entries, ({ requestKey }) => requestKey),
    column(({ effect }) => effect.trade.createdAt),
    hashes(entries, ({ effect }) => effect.pool.chainHead),
  ]
}

const WRITE_LAUNCHES = `
  with launch as (
    select * from jsonb_to_recordset($1::jsonb) as r (
      id int, creator_id int, name text, symbol text, emoji text, description text, website text, x text,
      telegram text, price numeric, request_key text, request_hash text, created_at timestamptz, hash bytea)
  ), token as (
    insert into tokens (id, creator_id, name, symbol, emoji, description, website, x, telegram, supply,
      launch_price, launch_fee, request_key, request_hash, created_at)
    select id, creator_id, name, symbol, emoji, description, website, x, telegram, $2::numeric,
      price, $3::numeric, request_key, request_hash, created_at from launch
    returning id
  )
  insert into pools (token_id, sol_reserve, virtual_sol, token_reserve, price, last_event_at, chain_head)
  select id, $4::numeric, $5::numeric, $6::numeric, price, created_at, hash from token join launch using (id)`

const WRITE_RUGS = `
  with rug as (
    insert into rugs (token_id, seq, user_id, amount, request_key, created_at, hash)
    select * from unnest($1::int[], $2::bigint[], $3::int[], $4::numeric[], $5::text[], $6::timestamptz[], $7::bytea[])
    returning token_id, created_at
  )
  update pools p set virtual_sol = 0, rugged_at = rug.created_at from rug where p.token_id = rug.token_id`

// Updates what is there, inserts what is not: the locks keep both so. A conflict clause would lock and log each row twice.
const WRITE_BATCH = `
  with pool as (
    update pools p set sol_reserve = v.sol_reserve, token_reserve = v.token_reserve, fees = v.fees, price = v.price,
      seq = v.seq, last_event_at = v.last_event_at, chain_head = v.chain_head
    from unnest($1::int[], $2::numeric[], $3::numeric[], $4::numeric[], $5::numeric[], $6::bigint[], $7::timestamptz[],
      $8::bytea[]) v (token_id, sol_reserve, token_reserve, fees, price, seq, last_event_at, chain_head)
    where p.token_id = v.token_id returning 1
  ), account as (
    update accounts a set sol_balance = v.sol_balance, realized_pnl = v.realized_pnl
    from unnest($9::int[], $10::numeric[], $11::numeric[]) v (user_id, sol_balance, realized_pnl)
    where a.user_id = v.user_id returning 1
  ), holding as (
    update holdings h set amount = v.amount, cost = v.cost
    from unnest($12::int[], $13::int[], $14::numeric[], $15::numeric[]) v (token_id, user_id, amount, cost)
    where h.token_id = v.token_id and h.user_id = v.user_id
  ), new_holding as (
    insert into holdings (token_id, user_id, amount, cost)
    select * from unnest($12::int[], $13::int[], $14::numeric[], $15::numeric[]) v (token_id, user_id, amount, cost)
    where not exists (select from holdings h where h.token_id = v.token_id and h.user_id = v.user_id)
  ), candle as (
    update candles c set high = greatest(c.high, v.high), low = least(c.low, v.low), close = v.close,
      volume = c.volume + v.volume, trades = c.trades + v.trades
    from unnest($16::int[], $17::int[], $18::timestamptz[], $20::numeric[], $21::numeric[], $22::numeric[],
      $23::numeric[], $24::int[]) v (token_id, width, bucket, high, low, close, volume, trades)
    where c.token_id = v.token_id and c.width = v.width and c.bucket = v.bucket
  ), new_candle as (
    insert into candles (token_id, width, bucket, open, high, low, close, volume, trades)
    select * from unnest($16::int[], $17::int[], $18::timestamptz[], $19::numeric[], $20::numeric[], $21::numeric[],
      $22::numeric[], $23::numeric[], $24::int[]) v (token_id, width, bucket, open, high, low, close, volume, trades)
    where not exists (select from candles c where c.token_id = v.token_id and c.width = v.width and c.bucket = v.bucket)
  ), trade as (
    insert into trades (id, token_id, seq, user_id, side, sol_amount, fee, token_amount, price, sol_reserve,
      token_reserve, spot_price, request_key, created_at, hash)
    select * from unnest($25::bigint[], $26::int[], $27::bigint[], $28::int[], $29::text[], $30::numeric[],
      $31::numeric[], $32::numeric[], $33::numeric[], $34::numeric[], $35::numeric[], $36::numeric[], $37::text[],
      $38::timestamptz[], $39::bytea[])
  )
  select (select count(*)::int from pool) as pools, (select count(*)::int from account) as accounts`
