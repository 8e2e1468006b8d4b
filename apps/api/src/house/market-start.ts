import type { KnownBag, Seal, TokenStart } from '@papermoon/bots'
import type { Db } from '@papermoon/db'
import { sql } from 'kysely'
import { verdicts, visibleTokens } from '../database/conditions.ts'

/** Number of open tokens that bots know at the start, in addition to the tokens that they hold. */
const NEWEST = 300
const LARGEST = 50
/** Max number of creators whose rugs are known at the start. */
const RUGGERS = 4_000

/** The market that bots see, and the speed of their time. */
export interface BotMarket {
  readonly db: Db
  /** Id of the fair; null for the fairground, whose tables contain no other fair. */
  readonly fairId: number | null
  readonly speed: number
}

/**
 * Reads tokens as bots know them at the start. For each token, reads the last sequence number; the token that was idle
 * longest comes first. Reads the tokens with these ids, or all tokens that bots may want to trade.
 */
export async function readTokenStarts(
  { db, fairId, speed }: BotMarket,
  ids: readonly number[] | null,
): Promise<(TokenStart & { readonly seq: number })[]> {
  const known = ids !== null ? sql`select unnest(${[...ids]}::int[])` : fairId === null ? WANTED : ofFair(fairId)
  const ms = sql`${1_000 * speed}::float8`
  const { rows } = await sql<TokenStart & Seal & { seq: number }>`
    select t.id, t.name, t.symbol, p.seq, t.creator_id as "creatorId",
           extract(epoch from t.created_at)::float8 * ${ms} as "createdAtMs",
           (select count(*)::int from rugs r where r.user_id = t.creator_id and r.created_at < t.created_at)
             + (select count(*)::int from ${verdicts} f
                 where f.user_id = t.creator_id and f.verdict = 'scoundrel' and f.ended_at < t.created_at) as "creatorRugs",
           (select count(*)::int from tokens o where o.creator_id = t.creator_id and o.created_at <= t.created_at
               and o.created_at > t.created_at - interval '1 day') as "creatorLaunches",
           (select coalesce(sum(h.amount), 0)::float8 from holdings h
               where h.token_id = t.id and h.user_id = t.creator_id) as "creatorTokens",
           p.sol_reserve::float8 as "solReserve", p.token_reserve::float8 as "tokenReserve",
           extract(epoch from p.last_event_at)::float8 * ${ms} as "lastTradeAtMs", p.seq as "tradeCount",
           (select coalesce(sum(c.volume), 0)::float8 from candles c where c.token_id = t.id and c.width = 3600
               and c.bucket > now() - interval '1 day') as volume,
           (select count(*)::int from holdings h where h.token_id = t.id and h.amount > 0) as "holderCount",
           t.is_rugged as "isRugged",
           coalesce(extract(epoch from p.sealed_until), 0)::float8 * ${ms} as "liquidityUntilMs",
           coalesce(extract(epoch from p.bag_sealed_until), 0)::float8 * ${ms} as "bagUntilMs",
           p.bag_sealed_tokens::float8 as "bagTokens"
      from ${visibleTokens} t join pools p on p.token_id = t.id
     where t.id in (${known})
     order by p.last_event_at`.execute(db)
  return rows.map(({ liquidityUntilMs, bagUntilMs, bagTokens, ...start }) => ({
    ...start,
    seal: { liquidityUntilMs, bagUntilMs, bagTokens },
  }))
}

const WANTED = sql`
  (select id from ${visibleTokens} t where not is_rugged order by id desc limit ${NEWEST})
  union (select p.token_id from pools p where p.rugged_at is null order by p.price desc limit ${LARGEST})
  union (select h.token_id from holdings h join users u on u.id = h.user_id where u.kind = 'house' and h.amount > 0)`

const ofFair = (fairId: number) => sql`select id from tokens where fair_id = ${fairId} order by id desc limit ${NEWEST}`

/** Reads what the house bots hold. */
export async function readBags({ db, fairId, speed }: BotMarket): Promise<KnownBag[]> {
  const isIn = fairId === null ? sql`true` : sql`h.token_id in (select id from tokens where fair_id = ${fairId})`

  const { rows } = await sql<KnownBag>`
    select h.user_id as "userId", h.token_id as "tokenId", h.amount::float8 as amount, h.cost::float8 as cost,
           extract(epoch from now())::float8 * ${1_000 * speed}::float8 as "boughtAtMs"
      from holdings h join users u on u.id = h.user_id where u.kind = 'house' and h.amount > 0 and ${isIn}`.execute(db)
  return rows
}

/** Reads how often creators pulled the rug. Reads only those creators who did so most recently. */
export async function readRugs(db: Db): Promise<{ readonly userId: number; readonly rugs: number }[]> {
  const { rows } = await sql<{ userId: number; rugs: number }>`
    select user_id as "userId", count(*)::int as rugs from rugs
     group by user_id order by max(created_at) desc limit ${RUGGERS}`.execute(db)
  return rows
}

/** Reads the creators whom courts judged as scoundrels in this period, once per verdict. */
export async function readScoundrels(db: Db, after: Date, until: Date): Promise<readonly number[]> {
  const { rows } = await sql<{ user_id: number }>`
    select user_id from ${verdicts} f
     where verdict = 'scoundrel' and ended_at > ${after} and ended_at <= ${until}`.execute(db)
  return rows.map(({ user_id }) => user_id)
}
