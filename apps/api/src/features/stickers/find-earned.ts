import type { Database } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import {
  BUYER_COUNT_STICKERS,
  DAY_LATER_STICKERS,
  LAUNCH_COUNT_STICKERS,
  MEDAL_STICKERS,
  OWN_TOKEN_STICKERS,
  POSITION_STICKERS,
  RUG_STICKERS,
  SEAL_STICKERS,
  TOKEN_COUNT_STICKERS,
  TRADE_COUNT_STICKERS,
  TRADE_STICKERS,
  VICTIM_STICKERS,
} from './sticker-list.ts'

/** A part of the journal, (after, through] for each. */
export interface JournalRange {
  /** Trades and rug pulls, which share a sequence. */
  readonly entries: Range
  /** Launches. */
  readonly tokens: Range
  /** Trades that are a day old. */
  readonly dayOld: Range
  /** Windows of the giveaway that were closed after this. */
  readonly closedAfter: Date
}

interface Range {
  readonly after: number
  readonly through: number
}

export interface EarnedSticker {
  readonly user_id: UserId
  readonly sticker: string
  readonly token_id: TokenId | null
  /** The token's sequence number at which it was earned; null for a launch or a medal. */
  readonly seq: number | null
  readonly at: Date
}

type Sql = RawBuilder<unknown>

/** SQL: a player `u` who gets stickers. Bots of the house would have them all. */
const GETS_STICKERS = sql`u.kind <> 'house' and u.deleted_at is null`

/** Stickers that the events of a range earn and that were not given before, each with its first event of the range. */
export async function findEarned(db: Kysely<Database>, range: JournalRange): Promise<EarnedSticker[]> {
  const { entries, tokens, dayOld, closedAfter } = range
  const statements = [
    earnByEvents(selectTrades(entries), TRADE_STICKERS),
    earnByEvents(selectClosedPositions(entries), POSITION_STICKERS),
    earnByEvents(selectDayOldTrades(dayOld), DAY_LATER_STICKERS),
    earnByEvents(selectOwnTokenTrades(entries), OWN_TOKEN_STICKERS),
    earnByEvents(selectVictims(entries), VICTIM_STICKERS),
    earnByEvents(selectRugs(entries), RUG_STICKERS),
    earnByEvents(selectSeals(entries), SEAL_STICKERS),
    earnByEvents(selectMedals(closedAfter), MEDAL_STICKERS),
    earnByCounts(selectTraders(entries), TRADE_COUNT_STICKERS, findNthTrade(entries)),
    earnByCounts(selectTraders(entries), TOKEN_COUNT_STICKERS, findNthToken(entries)),
    earnByCounts(selectCreators(tokens), LAUNCH_COUNT_STICKERS, findNthLaunch(tokens)),
    earnByCounts(selectBoughtTokens(entries), BUYER_COUNT_STICKERS, findNthBuyer(entries)),
  ]
  const earned: EarnedSticker[] = []
  for (const statement of statements) earned.push(...(await sql<EarnedSticker>`${statement}`.execute(db)).rows)
  return earned
}

/** SQL: rows `e` of a source with what their players have, an array `given`. */
const withGiven = (source: Sql): Sql => sql`
  with source as materialized (${source}), given as materialized (
    select p.user_id, array(select sticker from stickers g where g.user_id = p.user_id) as given
      from (select distinct user_id from source) p
  ), e as materialized (select * from source join given using (user_id))`

/**
 * Events that fulfil the condition of a sticker which their player lacks. `case` keeps the order, cheap conditions first, and
 * keeps PostgreSQL from turning `exists` into a join with all trades.
 */
function earnByEvents(source: Sql, stickers: readonly { readonly id: string; readonly when: Sql }[]): Sql {
  const chosen = stickers.map(
    ({ id, when }) => sql`
      select e.user_id, ${id}::text as sticker, e.token_id, e.seq, e.at, e.entry
        from e where case when ${id}::text <> all(e.given) then ${when} else false end`,
  )
  return sql`${withGiven(source)}
    select distinct on (user_id, sticker) user_id, sticker, token_id, seq, at
      from (${sql.join(chosen, sql` union all `)}) chosen order by user_id, sticker, entry`
}

/** The nth of something, for players `e` who lack its sticker. `nth` finds the event for `s.n`. */
function earnByCounts(source: Sql, stickers: readonly { readonly id: string; readonly n: number }[], nth: Sql): Sql {
  return sql`${withGiven(source)}
    select distinct on (e.user_id, s.sticker) e.user_id, s.sticker, x.token_id, x.seq, x.at
      from e
      join unnest(${stickers.map(({ id }) => id)}::text[], ${stickers.map(({ n }) => n)}::int[]) as s (sticker, n)
        on s.sticker <> all(e.given)
      cross join lateral (${nth}) x
     order by e.user_id, s.sticker, x.entry`
}

const within = (column: Sql, { after, through }: Range): Sql => sql`${column} > ${after} and ${column} <= ${through}`

const selectTrades = (range: Range): Sql => sql`
  select t.id as entry, t.user_id, t.token_id, t.seq, t.created_at as at, t.side, t.sol_amount, t.token_amount, k.supply,
         k.creator_id, k.creator_id <> t.user_id as is_foreign, t.created_at - k.created_at as age
    from trades t join users u on u.id = t.user_id join tokens k on k.id = t.token_id
   where ${within(sql`t.id`, range)} and ${GETS_STICKERS}`

const selectDayOldTrades = (range: Range): Sql => sql`
  select t.id as entry, t.user_id, t.token_id, t.seq, t.created_at as at, t.side, t.price,
         t.created_at - interval '1 day' as day_before, t.created_at + interval '1 day' as day_later
    from trades t join users u on u.id = t.user_id
   where ${within(sql`t.id`, range)} and t.sol_amount >= 0.5 and ${GETS_STICKERS}`

/** SQL: whether a player lacks any of some stickers: else their past, which may be long, needs no reading. */
const lacksAny = (userId: Sql, stickers: readonly { readonly id: string }[]): Sql => sql`(
  select count(*) from stickers g
   where g.user_id = ${userId} and g.sticker = any(${stickers.map(({ id }) => id)}::text[])) < ${stickers.length}`

/** Positions that a sale of the range closed. One begins with the first buy and ends when nothing is held. */
const selectClosedPositions = (range: Range): Sql => sql`
  select p.user_id, p.token_id, c.* from (
    select distinct t.user_id, t.token_id from trades t join users u on u.id = t.user_id
     where ${within(sql`t.id`, range)} and t.side = 'sell' and ${GETS_STICKERS} and ${lacksAny(sql`u.id`, POSITION_STICKERS)}
  ) p cross join lateral (
    select max(id) as entry, max(seq) as seq, max(created_at) as at, max(created_at) - min(created_at) as lasted,
           coalesce(sum(sol_amount) filter (where side = 'buy'), 0) as paid,
           coalesce(sum(sol_amount) filter (where side = 'sell'), 0) as received,
           min(seq) as first_seq, min(seq) filter (where side = 'sell') as first_sale_seq,
           (array_agg(price order by seq))[1] as first_price,
           (array_agg(price order by seq) filter (where side = 'sell'))[1] as first_sale_price
      from (
        select *, count(*) filter (where held = 0) over (
                 order by seq rows between unbounded preceding and 1 preceding) as closed_before
          from (
            select id, seq, created_at, side, sol_amount, price,
                   sum(case side when 'buy' then token_amount else -token_amount end) over (order by seq) as held
              from trades t where t.user_id = p.user_id and t.token_id = p.token_id and t.id <= ${range.through}
          ) trade
      ) numbered
     group by closed_before having bool_or(held = 0)
  ) c where c.entry > ${range.after}`

/** Trades of tokens of players, by anybody, from the fifth other buyer on. */
const selectOwnTokenTrades = (range: Range): Sql => sql`
  select t.id as entry, k.user_id, t.token_id, t.seq, t.created_at as at, t.spot_price * k.supply as market_cap
    from (
      select k.id, k.creator_id as user_id, k.supply
        from trades t join tokens k on k.id = t.token_id join users u on u.id = k.creator_id
       where ${within(sql`t.id`, range)} and ${GETS_STICKERS} and ${lacksAny(sql`u.id`, OWN_TOKEN_STICKERS)}
       group by k.id having max(t.spot_price) * k.supply >= 60
    ) k
    cross join lateral (
      select min(id) as entry from trades b
       where b.token_id = k.id and b.side = 'buy' and b.user_id <> k.user_id and b.id <= ${range.through}
       group by b.user_id order by 1 offset 4 limit 1
    ) fifth
    join trades t on t.token_id = k.id and t.id >= fifth.entry and ${within(sql`t.id`, range)}
   where t.spot_price * k.supply >= 60`

/** SQL: what the traders of a rugged token `r`, without its rugger, held and paid when it was rugged. */
const BAGS = sql`
  select t.user_id, sum(case t.side when 'buy' then t.token_amount else -t.token_amount end) as held,
         coalesce(sum(t.sol_amount) filter (where t.side = 'buy'), 0) as paid,
         coalesce(sum(t.sol_amount) filter (where t.side = 'sell'), 0) as received,
         max(t.created_at) filter (where t.side = 'sell') as last_sale
    from trades t where t.token_id = r.token_id and t.user_id <> r.user_id group by t.user_id`

const selectVictims = (range: Range): Sql => sql`
  select r.position as entry, b.user_id, r.token_id, r.seq, r.created_at as at, b.held, b.paid, b.received,
         r.created_at - b.last_sale as since_sale
    from rugs r cross join lateral (${BAGS}) b join users u on u.id = b.user_id
   where ${within(sql`r.position`, range)} and ${GETS_STICKERS}`

const selectRugs = (range: Range): Sql => sql`
  select r.position as entry, r.user_id, r.token_id, r.seq, r.created_at as at, r.amount, b.victims, b.ruggers
    from rugs r join users u on u.id = r.user_id cross join lateral (
      select count(*) as victims, count(*) filter (where b.paid - b.received >= 0.1 and exists (
               select from rugs other where other.user_id = b.user_id and other.position < r.position)) as ruggers
        from (${BAGS}) b where b.held > 0
    ) b
   where ${within(sql`r.position`, range)} and ${GETS_STICKERS}`

/** Two selects, since each event has an index of its own. */
const selectSeals = (range: Range): Sql => sql`
  select s.entry, s.user_id, s.token_id, s.seq, s.at, s.has_ended, s.term <> 'hour' as is_long,
         case when s.has_ended then (
           select count(distinct t.user_id) from trades t
            where t.token_id = s.token_id and t.side = 'buy' and t.user_id <> s.user_id and t.id < s.entry
         ) end as buyers
    from (
      select *, position as entry, created_at as at, false as has_ended from seals where ${within(sql`position`, range)}
       union all
      select *, ended_position, until, true from seals where ${within(sql`ended_position`, range)}
    ) s join users u on u.id = s.user_id
   where ${GETS_STICKERS}`

const selectMedals = (closedAfter: Date): Sql => sql`
  select extract(epoch from w.window_started_at) as entry, w.user_id, null::int as token_id, null::bigint as seq,
         g.closed_at as at, w.rank, w.counterparties
    from giveaway_windows g join window_winners w on w.window_started_at = g.started_at join users u on u.id = w.user_id
   where g.closed_at > ${closedAfter} and w.rank <= 3 and ${GETS_STICKERS}`

const selectTraders = (range: Range): Sql => sql`
  select distinct t.user_id from trades t join users u on u.id = t.user_id
   where ${within(sql`t.id`, range)} and ${GETS_STICKERS}`

/** Not in the order of an index, which would lead PostgreSQL to walk the trades of everybody. */
const findNthTrade = ({ through }: Range): Sql => sql`
  select t.id as entry, t.token_id, t.seq, t.created_at as at from trades t
   where t.user_id = e.user_id and t.id <= ${through} order by t.id + 0 offset s.n - 1 limit 1`

const findNthToken = ({ through }: Range): Sql => sql`
  select t.id as entry, t.token_id, t.seq, t.created_at as at from (
    select min(id) as entry from trades where user_id = e.user_id and id <= ${through}
     group by token_id order by 1 offset s.n - 1 limit 1
  ) first join trades t on t.id = first.entry`

const selectCreators = (range: Range): Sql => sql`
  select distinct k.creator_id as user_id from tokens k join users u on u.id = k.creator_id
   where ${within(sql`k.id`, range)} and ${GETS_STICKERS}`

const findNthLaunch = ({ through }: Range): Sql => sql`
  select k.id as entry, k.id as token_id, null::bigint as seq, k.created_at as at from tokens k
   where k.creator_id = e.user_id and k.id <= ${through} order by k.id offset s.n - 1 limit 1`

const selectBoughtTokens = (range: Range): Sql => sql`
  select distinct k.creator_id as user_id, k.id as token_id
    from trades t join tokens k on k.id = t.token_id join users u on u.id = k.creator_id
   where ${within(sql`t.id`, range)} and t.side = 'buy' and t.user_id <> k.creator_id and ${GETS_STICKERS}`

const findNthBuyer = ({ through }: Range): Sql => sql`
  select t.id as entry, t.token_id, t.seq, t.created_at as at from (
    select min(id) as entry from trades
     where token_id = e.token_id and side = 'buy' and user_id <> e.user_id and id <= ${through}
     group by user_id order by 1 offset s.n - 1 limit 1
  ) first join trades t on t.id = first.entry`
