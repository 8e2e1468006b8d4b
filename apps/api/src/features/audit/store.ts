import type { AccountKind, CandlesTable } from '@papermoon/db'
import type { Selectable } from 'kysely'
import type { ChainSealRow, ChainTradeRow } from '../../database/chain-rows.ts'

/** A token with its pool and its rug pull, if any. */
export interface TokenRow {
  readonly id: number
  readonly fair_id: number
  readonly name: string
  readonly symbol: string
  readonly creator_id: number
  readonly supply: string
  readonly launch_price: string
  readonly launch_fee: string
  readonly created_at: Date
  readonly pool: PoolRow | null
  readonly rug: RugRow | null
}

/** A pool's row. In these rows, numbers are text, hashes are hexadecimal, and times are in Unix ms. */
export interface PoolRow {
  readonly sol_reserve: string
  readonly virtual_sol: string
  readonly token_reserve: string
  readonly fees: string
  readonly price: string
  readonly seq: number
  readonly chain_head: string
  readonly last_event_ms: number
  readonly rugged_ms: number | null
  readonly seals: number
  readonly sealed_ms: number | null
  readonly bag_sealed_ms: number | null
  readonly bag_sealed_tokens: string
  readonly seal_head: string | null
}

export interface SealRow extends ChainSealRow {
  readonly with_bag: boolean
  readonly hash: string
}

export interface RugRow {
  readonly seq: number
  readonly user_id: number
  readonly amount: string
  readonly hash: string
  readonly at_ms: number
}

export type TradeRow = ChainTradeRow & {
  readonly id: number
  readonly hash: string
}

/** A published hash of a token's chain. */
export interface PublishedRow {
  readonly token_id: number
  readonly hour: Date
  readonly seq: number
  readonly hash: string
}

export interface PublicationRow {
  readonly hour: Date
  readonly tokens: number
  readonly previous: string | null
  readonly digest: string
}

export interface HoldingRow {
  readonly token_id: number
  readonly user_id: number
  readonly amount: string
  readonly cost: string
}

export type CandleRow = Omit<Selectable<CandlesTable>, 'width'>

/** A player with their account in a fair, if any, and the sums of their grants. */
export interface PlayerRow {
  readonly fair_id: number
  readonly id: number
  readonly username: string
  readonly sol_balance: string | null
  readonly realized_pnl: string | null
  readonly granted: string
  readonly starting_grants: number
  readonly house_grants: number
  readonly kind: AccountKind
}

/** SQL that reads launches by id. Money in JSON is text, so that it is never converted to a float. */
export const TOKENS = `
  select t.id, t.fair_id, t.name, t.symbol, t.creator_id, t.supply, t.launch_price, t.launch_fee, t.created_at,
         case when p.token_id is not null then jsonb_build_object(
           'sol_reserve', p.sol_reserve::text, 'virtual_sol', p.virtual_sol::text,
           'token_reserve', p.token_reserve::text, 'fees', p.fees::text, 'price', p.price::text, 'seq', p.seq,
           'chain_head', encode(p.chain_head, 'hex'),
           'last_event_ms', floor(extract(epoch from p.last_event_at) * 1000)::bigint,
           'rugged_ms', floor(extract(epoch from p.rugged_at) * 1000)::bigint,
           'seals', p.seals, 'sealed_ms', floor(extract(epoch from p.sealed_until) * 1000)::bigint,
           'bag_sealed_ms', floor(extract(epoch from p.bag_sealed_until) * 1000)::bigint,
           'bag_sealed_tokens', p.bag_sealed_tokens::text, 'seal_head', encode(p.seal_head, 'hex')) end as pool,
         case when r.token_id is not null then jsonb_build_object(
           'seq', r.seq, 'user_id', r.user_id, 'amount', r.amount::text,
           'hash', encode(r.hash, 'hex'),
           'at_ms', floor(extract(epoch from r.created_at) * 1000)::bigint) end as rug
    from tokens t left join pools p on p.token_id = t.id left join rugs r on r.token_id = t.id
   order by t.id`

export const TRADES = `
  select token_id, id, seq, user_id, side, sol_amount, fee, token_amount, price, sol_reserve, token_reserve,
         spot_price, encode(hash, 'hex') as hash, created_at
    from trades order by token_id, seq`

export const SEALS = `
  select token_id, n, seq, user_id, with_bag, until, bag_until, bag_tokens, created_at, encode(hash, 'hex') as hash
    from seals order by token_id, n`

export const PUBLISHED = `
  select token_id, hour, seq, encode(hash, 'hex') as hash from published_heads order by token_id, hour`

/** SQL that reads published hashes by hour. */
export const PUBLISHED_BY_HOUR = `
  select token_id, hour, seq, encode(hash, 'hex') as hash from published_heads order by hour, token_id`

export const PUBLICATIONS = `
  select hour, tokens, encode(previous, 'hex') as previous, encode(digest, 'hex') as digest
    from head_publications order by hour`

/** SQL that reads the journal's last trade as one row. */
export const LAST_TRADE = 'select max(id) as id from trades'

export const HOLDINGS = 'select token_id, user_id, amount, cost from holdings order by token_id, user_id'

/** Returns SQL for the candles of one width in seconds. */
export function selectCandles(width: number): string {
  return `select token_id, bucket, open, high, low, close, volume, trades
    from candles where width = ${width} order by token_id, bucket`
}

export const PLAYERS = `
  select 1 as fair_id, u.id, u.username, u.kind, a.sol_balance, a.realized_pnl, coalesce(g.granted, 0) as granted,
         coalesce(g.starting_grants, 0) as starting_grants, coalesce(g.house_grants, 0) as house_grants
    from users u left join accounts a on a.user_id = u.id
    left join (select user_id, sum(amount) as granted, count(*) filter (where kind = 'register') as starting_grants,
                      count(*) filter (where kind = 'house') as house_grants
                 from grants group by user_id) g on g.user_id = u.id
   order by u.id`

/** SQL that reads the accounts in all other fairs. Each account in a fair got the fair's stake once. */
export const FAIR_ENTRANTS = `
  select a.fair_id, u.id, u.username, 'player' as kind, a.sol_balance, a.realized_pnl, a.stake as granted,
         1 as starting_grants, 0 as house_grants
    from accounts a join users u on u.id = a.user_id order by a.fair_id, u.id`

/** SQL that returns no rows, because only hashes of the fairground's tokens are published. */
export const NOTHING_PUBLISHED = 'select token_id, hour, seq, null as hash from published_heads where false'
