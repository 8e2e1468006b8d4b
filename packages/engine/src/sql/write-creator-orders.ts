import { LAUNCH_FEE, launchPool, priceText, SUPPLY, solText, tokensText } from '@papermoon/amm'
import type { LaunchEntry, RugEntry, SealEntry } from '../batch/changes.ts'
import { formatTime } from '../clock.ts'
import { computeFingerprint } from '../idempotency.ts'
import { manyRows } from './statements.ts'

/** Id of the fair that never ends. */
const FAIRGROUND = 1

/** A connection in a transaction, which runs statements with positional parameters. */
export interface StatementRunner {
  query(text: string, values: unknown[]): Promise<unknown>
}

/** Inserts tokens with their pools. */
export async function writeLaunches(client: StatementRunner, launches: readonly LaunchEntry[]): Promise<void> {
  const { sol, virtualSol, tokens } = launchPool()
  const rows = launches.map(({ tokenId, order, creator, price, hash, atMs, requestKey, position }) => ({
    id: tokenId,
    position,
    creator_id: creator.id,
    fair_id: order.fair?.id ?? FAIRGROUND,
    closes_at: order.fair === undefined ? null : formatTime(order.fair.closesAtMs),
    ...order.token,
    price: priceText(price),
    request_key: requestKey,
    request_hash: computeFingerprint(order),
    created_at: formatTime(atMs),
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

/** Inserts rug pulls. Insert rug pulls before updating pools, because only a pool without virtual SOL may be empty. */
export async function writeRugs(client: StatementRunner, rugs: readonly RugEntry[]): Promise<void> {
  const { texts, quoted, hashes } = manyRows
  await client.query(WRITE_RUGS, [
    texts(rugs, ({ rug }) => rug.tokenId),
    texts(rugs, ({ rug }) => rug.seq),
    texts(rugs, ({ rug }) => rug.userId),
    texts(rugs, ({ rug }) => rug.amount),
    quoted(rugs, ({ requestKey }) => requestKey),
    texts(rugs, ({ rug }) => rug.createdAt),
    hashes(rugs, ({ hash }) => hash),
    texts(rugs, ({ position }) => position),
  ])
}

/** Inserts seals and updates their pools. */
export async function writeSeals(client: StatementRunner, seals: readonly SealEntry[]): Promise<void> {
  const rows = seals.map(({ event, request, hash, requestKey, position }) => ({
    position,
    token_id: event.tokenId,
    n: event.number,
    kind: event.kind,
    seq: event.seq,
    user_id: event.userId,
    term: request.term,
    with_bag: request.bag,
    until: event.seal.liquidityUntil,
    bag_until: event.seal.bagUntil,
    bag_tokens: event.seal.bagTokens,
    request_key: requestKey,
    created_at: event.createdAt,
    hash: `\\x${hash}`,
  }))
  await client.query(WRITE_SEALS, [JSON.stringify(rows)])
}

const WRITE_SEALS = `
  with seal as (
    insert into seals (token_id, n, kind, seq, user_id, term, with_bag, until, bag_until, bag_tokens, request_key,
      created_at, hash, position)
    select * from jsonb_to_recordset($1::jsonb) as r (
      token_id int, n int, kind text, seq bigint, user_id int, term text, with_bag boolean, until timestamptz,
      bag_until timestamptz, bag_tokens numeric, request_key text, created_at timestamptz, hash bytea, position bigint)
    returning *
  )
  update pools p set seals = s.n, sealed_until = s.until, bag_sealed_until = s.bag_until,
    bag_sealed_tokens = s.bag_tokens, seal_head = s.hash
  from (select distinct on (token_id) * from seal order by token_id, n desc) s
  where p.token_id = s.token_id`

const WRITE_LAUNCHES = `
  with launch as (
    select * from jsonb_to_recordset($1::jsonb) as r (
      id int, creator_id int, name text, symbol text, emoji text, description text, website text, x text,
      telegram text, price numeric, request_key text, request_hash text, created_at timestamptz, hash bytea,
      fair_id int, closes_at timestamptz, position bigint)
  ), token as (
    insert into tokens (id, creator_id, name, symbol, emoji, description, website, x, telegram, supply,
      launch_price, launch_fee, request_key, request_hash, created_at, fair_id, position)
    select id, creator_id, name, symbol, emoji, description, website, x, telegram, $2::numeric,
      price, $3::numeric, request_key, request_hash, created_at, fair_id, position from launch
    returning id
  )
  insert into pools (token_id, sol_reserve, virtual_sol, token_reserve, price, last_event_at, chain_head, closes_at)
  select id, $4::numeric, $5::numeric, $6::numeric, price, created_at, hash, closes_at from token join launch using (id)`

const WRITE_RUGS = `
  with rug as (
    insert into rugs (token_id, seq, user_id, amount, request_key, created_at, hash, position)
    select * from unnest($1::int[], $2::bigint[], $3::int[], $4::numeric[], $5::text[], $6::timestamptz[], $7::bytea[],
      $8::bigint[])
    returning token_id, created_at
  )
  update pools p set virtual_sol = 0, rugged_at = rug.created_at from rug where p.token_id = rug.token_id`
