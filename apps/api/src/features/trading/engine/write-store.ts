import { LAUNCH_FEE, launchPool, priceText, SUPPLY, solText, tokensText } from '@papermoon/amm'
import type pg from 'pg'
import type { BatchChanges, LaunchEntry, RugEntry } from './batch-changes.ts'
import { hashes, quoted, texts } from './columns.ts'
import { fingerprintOf } from './fingerprint.ts'
import { timeText } from './time-text.ts'
import { writeColumns } from './write-columns.ts'

/**
 * Writes everything a batch changed, each row once, where every row it changed and every row that a refusal rests on is
 * still what the batch took it for; the trades get their ids. One statement, and one more each before it for launches and
 * rug pulls. Rejects with PM001 where a row has changed since, and nothing is written.
 */
export async function writeChanges(
  client: pg.ClientBase,
  changes: BatchChanges,
  columns = writeColumns(changes),
): Promise<void> {
  const launches = changes.entries('launch')
  if (launches.length > 0) await writeLaunches(client, launches)
  const rugs = changes.entries('rug')
  if (rugs.length > 0) await writeRugs(client, rugs)
  const result = await client.query<{ ids: string | null }>({
    name: 'write-batch',
    text: WRITE_BATCH,
    values: columns,
  })
  const ids = result.rows[0]?.ids?.split(',') ?? []
  // Ids rise in the order in which the trades were given.
  for (const [i, { event }] of changes.entries('trade').entries()) event.trade.id = Number(ids[i])
}

async function writeLaunches(client: pg.ClientBase, launches: readonly LaunchEntry[]): Promise<void> {
  const { sol, virtualSol, tokens } = launchPool()
  const rows = launches.map(({ tokenId, order, creator, price, hash, atMs, requestKey }) => ({
    id: tokenId,
    creator_id: creator.id,
    ...order.token,
    price: priceText(price),
    request_key: requestKey,
    request_hash: fingerprintOf(order),
    created_at: timeText(atMs),
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
async function writeRugs(client: pg.ClientBase, rugs: readonly RugEntry[]): Promise<void> {
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
const WRITE_BATCH = `
  with pool as (
    update pools p set sol_reserve = v.sol_reserve, token_reserve = v.token_reserve, fees = v.fees, price = v.price,
      seq = v.seq, last_event_at = v.last_event_at, chain_head = v.chain_head,
      ${forming('minute', 1)},
      ${forming('hour', 2)},
      ${forming('day', 3)}
    from (
      select k.row, v.* from unnest($1::int[], $2::bigint[], $3::boolean[], $4::numeric[], $5::numeric[], $6::numeric[],
          $7::numeric[], $8::bigint[], $9::timestamptz[], $10::bytea[], $11::int[], $12::numeric[], $13::numeric[],
          $14::numeric[], $15::int[]) v (token_id, seq_before, is_hidden, sol_reserve, token_reserve, fees, price, seq,
          last_event_at, chain_head, opens, high, low, volume, trades)
        cross join lateral (select p.ctid as row from pools p join tokens t on t.id = p.token_id
          where p.token_id = v.token_id and (t.hidden_at is not null) = v.is_hidden offset 0) k
    ) v
    where p.ctid = v.row and p.seq = v.seq_before
    returning 1
  ), account as (
    update accounts a set sol_balance = v.sol_balance, realized_pnl = a.realized_pnl + v.realized_pnl
    from (
      select k.row, v.* from unnest($16::int[], $17::numeric[], $18::numeric[], $19::numeric[])
          v (user_id, balance_before, sol_balance, realized_pnl)
        cross join lateral (select a.ctid as row from accounts a where a.user_id = v.user_id offset 0) k
    ) v
    where a.ctid = v.row and a.sol_balance = v.balance_before and (select count(*) from pool) >= 0
    returning 1
  ), locked as materialized (
    select (select count(*) from pool) = cardinality($1::int[])
       and (select count(*) from account) = cardinality($16::int[])
       and not exists (select from unnest($20::int[], $21::bigint[], $22::boolean[]) v (token_id, seq, is_hidden)
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
    from unnest($23::int[], $24::int[], $25::timestamptz[]) v (token_id, width, bucket)
      cross join lateral (select * from pools p where p.token_id = v.token_id offset 0) p
  ), holding as (
    update holdings h set amount = v.amount, cost = v.cost
    from (
      select k.row, v.* from unnest($26::int[], $27::int[], $28::numeric[], $29::numeric[])
          v (token_id, user_id, amount, cost)
        cross join lateral (select h.ctid as row from holdings h
          where h.token_id = v.token_id and h.user_id = v.user_id offset 0) k
    ) v
    where h.ctid = v.row
    returning 1
  ), new_holding as (
    insert into holdings (token_id, user_id, amount, cost)
    select * from unnest($30::int[], $31::int[], $32::numeric[], $33::numeric[])
  ), trade as (
    insert into trades (token_id, seq, user_id, side, sol_amount, fee, token_amount, price, sol_reserve,
      token_reserve, spot_price, request_key, created_at, hash)
    select v.* from current, unnest($34::int[], $35::bigint[], $36::int[], $37::text[], $38::numeric[],
      $39::numeric[], $40::numeric[], $41::numeric[], $42::numeric[], $43::numeric[], $44::numeric[], $45::text[],
      $46::timestamptz[], $47::bytea[]) v
    returning id
  )
  select (select string_agg(id::text, ',' order by id) from trade) as ids,
    assert_current((select count(*) from holding) = cardinality($26::int[])), (select count(*) from current)`
