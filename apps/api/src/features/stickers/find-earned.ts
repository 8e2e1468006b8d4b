import type { Db } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { type RawBuilder, sql } from 'kysely'
import {
  ARENA_STICKERS,
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

/** A part of the journal. The part has a range for each kind of entry: after `after` and up to `through`. */
export interface JournalRange {
  /** All journal entries, except trades that have become a day old. */
  readonly entries: Range
  /** Trades that have become a day old. */
  readonly dayOld: Range
  /** Arenas and giveaway windows that ended after this time are included. */
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
  /** The sequence number at which the player earned the sticker. The number is null for a launch or a medal. */
  readonly seq: number | null
  readonly at: Date
}

type Sql = RawBuilder<unknown>

/** SQL for the change of the player's holding by a trade `t`. */
const CHANGE = sql`case t.side when 'buy' then t.token_amount else -t.token_amount end`

/** SQL for whether a player `u` can get stickers. House bots cannot get stickers. */
const GETS_STICKERS = sql`u.kind <> 'house' and u.deleted_at is null`

/**
 * Max number of a player's trades between the first buy and the last sale of a position. A position with more trades
 * earns no stickers.
 */
const LOOK_BACK_MAX = 10_000

/** Finds new stickers that players earned in a range. For each sticker, returns its first event in the range. */
export async function findEarned(db: Db, range: JournalRange, lookBack = LOOK_BACK_MAX): Promise<EarnedSticker[]> {
  const { entries, dayOld, closedAfter } = range
  const statements = [
    earnByEvents(selectTrades(entries), TRADE_STICKERS),
    earnByEvents(selectClosedPositions(entries, lookBack), POSITION_STICKERS),
    earnByEvents(selectDayOldTrades(dayOld), DAY_LATER_STICKERS),
    earnByEvents(selectOwnTokenTrades(entries), OWN_TOKEN_STICKERS),
    earnByEvents(selectVictims(entries), VICTIM_STICKERS),
    earnByEvents(selectRugs(entries), RUG_STICKERS),
    earnByEvents(selectSeals(entries), SEAL_STICKERS),
    earnByEvents(selectArenaResults(closedAfter), ARENA_STICKERS),
    earnByEvents(selectMedals(closedAfter), MEDAL_STICKERS),
    earnByCounts(selectTraders(entries), TRADE_COUNT_STICKERS, findNthTrade(entries)),
    earnByCounts(selectTraders(entries), TOKEN_COUNT_STICKERS, findNthToken(entries)),
    earnByCounts(selectCreators(entries), LAUNCH_COUNT_STICKERS, findNthLaunch(entries)),
    earnByCounts(selectBoughtTokens(entries), BUYER_COUNT_STICKERS, findNthBuyer(entries)),
  ]
  const earned: EarnedSticker[] = []
  for (const statement of statements) earned.push(...(await sql<EarnedSticker>`${statement}`.execute(db)).rows)
  return earned
}

/** Returns SQL for the rows `e` of a source, with an array `given` of the stickers that their players already have. */
const withGiven = (source: Sql): Sql => sql`
  with source as materialized (${source}), given as materialized (
    select p.user_id, array(select sticker from stickers g where g.user_id = p.user_id) as given
      from (select distinct user_id from source) p
  ), e as materialized (select * from source join given using (user_id))`

/**
 * Returns SQL for events that fulfil the condition of a sticker that their player lacks. `case` checks cheap conditions
 * first, and prevents PostgreSQL from turning `exists` into a join with all trades.
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

/**
 * Returns SQL for the nth event of a kind, for players `e` who lack the sticker. `nth` finds the event number `s.n`.
 */
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

/** Returns SQL for whether a player lacks any of these stickers. If the player lacks none, the past is not read. */
const lacksAny = (userId: Sql, stickers: readonly { readonly id: string }[]): Sql => sql`(
  select count(*) from stickers g
   where g.user_id = ${userId} and g.sticker = any(${stickers.map(({ id }) => id)}::text[])) < ${stickers.length}`

/**
 * Returns SQL for positions that a sale in the range closed. A position begins with the first buy and ends when the
 * holding is zero. Between these two trades, the player makes at most `lookBack` trades of any token. Without this
 * limit, every sale by a program would read the program's whole history. An earlier holding is the current holding
 * minus the later trades.
 */
const selectClosedPositions = (range: Range, lookBack: number): Sql => sql`
  select p.user_id, p.token_id, c.* from (
    select t.user_id, t.token_id, bool_or(t.side = 'sell') as has_sold, min(t.created_at) as since,
           sum(count(*)) over (partition by t.user_id)::int as traded
      from trades t join users u on u.id = t.user_id
     where ${within(sql`t.id`, range)} and ${GETS_STICKERS} and ${lacksAny(sql`u.id`, POSITION_STICKERS)}
     group by t.user_id, t.token_id
  ) p cross join lateral (
    select h.amount - coalesce(sum(${CHANGE}), 0) as held
      from holdings h left join trades t on t.user_id = h.user_id and t.token_id = h.token_id and t.id > ${range.through}
       and t.created_at >= p.since - interval '1 hour'
     where h.user_id = p.user_id and h.token_id = p.token_id group by h.amount
  ) at_end cross join lateral (
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
            select t.*, ${CHANGE} as change,
                   at_end.held - coalesce(sum(${CHANGE}) over (
                     order by seq rows between 1 following and unbounded following), 0) as held
              from (
                select *, row_number() over (order by created_at desc, id desc) as place
                  from trades where user_id = p.user_id and id <= ${range.through}
                 order by created_at desc, id desc limit ${lookBack} + p.traded
              ) t where t.token_id = p.token_id
          ) trade
      ) numbered
     group by closed_before
    having bool_or(held = 0) and (array_agg(held - change order by seq))[1] = 0 and max(place) - min(place) < ${lookBack}
  ) c where p.has_sold and c.entry > ${range.after}`

interface NthBuy {
  readonly tokenId: Sql
  readonly creatorId: Sql
  readonly n: Sql
  readonly range: Range
}

/**
 * Returns SQL for the first buy by the nth buyer of a token, not counting its creator. Every buyer has a row with a
 * holding, even if the holding is empty now. The trades are therefore read only if there are enough buyers, and then
 * only from the launch to the nth buyer.
 */
const findNthBuy = ({ tokenId, creatorId, n, range }: NthBuy): Sql => sql`
  with recursive first_buys as (
    select 0 as nth, null::bigint as entry, array[${creatorId}] as known, 0::bigint as seq
     where (select count(*) from (
              select from holdings h where h.token_id = ${tokenId} and h.user_id <> ${creatorId} limit ${n}) holder) = ${n}
     union all
    select f.nth + 1, b.id, f.known || b.user_id, b.seq from first_buys f cross join lateral (
      select id, user_id, seq from trades b
       where b.token_id = ${tokenId} and b.seq > f.seq and b.side = 'buy' and b.user_id <> all(f.known) and b.id <= ${range.through}
       order by b.seq limit 1
    ) b where f.nth < ${n}
  ) select entry from first_buys where nth = ${n}`

/** Returns SQL for all trades of players' tokens, from the fifth buyer other than the creator on. */
const selectOwnTokenTrades = (range: Range): Sql => sql`
  select t.id as entry, k.user_id, t.token_id, t.seq, t.created_at as at, t.spot_price * k.supply as market_cap
    from (
      select k.id, k.creator_id as user_id, k.supply
        from trades t join tokens k on k.id = t.token_id join users u on u.id = k.creator_id
       where ${within(sql`t.id`, range)} and ${GETS_STICKERS} and ${lacksAny(sql`u.id`, OWN_TOKEN_STICKERS)}
       group by k.id having max(t.spot_price) * k.supply >= 60
    ) k
    cross join lateral (${findNthBuy({ tokenId: sql`k.id`, creatorId: sql`k.user_id`, n: sql`5`, range })}) fifth
    join trades t on t.token_id = k.id and t.id >= fifth.entry and ${within(sql`t.id`, range)}
   where t.spot_price * k.supply >= 60`

/** SQL for the holdings and costs of a rugged token `r` at its rug pull. The creator's holding is left out. */
const BAGS = sql`
  select t.user_id, sum(${CHANGE}) as held,
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

/** Uses two selects, because the start and the end of a seal have separate indexes. */
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

const selectArenaResults = (endedAfter: Date): Sql => sql`
  select extract(epoch from f.settled_at) as entry, r.user_id, null::int as token_id, null::bigint as seq,
         f.settled_at as at, r.place, r.medal, r.is_paper,
         (select count(*) from fair_results o where o.fair_id = f.id and o.is_ranked) as players
    from fairs f join fair_results r on r.fair_id = f.id and r.is_ranked join users u on u.id = r.user_id
   where f.kind = 'arena' and f.state = 'settled' and f.settled_at > ${endedAfter} and ${GETS_STICKERS}`

const selectMedals = (closedAfter: Date): Sql => sql`
  select extract(epoch from w.window_started_at) as entry, w.user_id, null::int as token_id, null::bigint as seq,
         g.closed_at as at, w.rank, w.counterparties
    from giveaway_windows g join window_winners w on w.window_started_at = g.started_at join users u on u.id = w.user_id
   where g.closed_at > ${closedAfter} and w.rank <= 3 and ${GETS_STICKERS}`

const selectTraders = (range: Range): Sql => sql`
  select distinct t.user_id from trades t join users u on u.id = t.user_id
   where ${within(sql`t.id`, range)} and ${GETS_STICKERS}`

/** Adds 0 to the id. Without this addition, PostgreSQL would scan everyone's trades with the index on ids. */
const findNthTrade = ({ through }: Range): Sql => sql`
  select t.id as entry, t.token_id, t.seq, t.created_at as at from trades t
   where t.user_id = e.user_id and t.id <= ${through} order by t.id + 0 offset s.n - 1 limit 1`

/** Reads the past only if a player has enough holdings. Empty holdings are counted, too. */
const findNthToken = ({ through }: Range): Sql => sql`
  select t.id as entry, t.token_id, t.seq, t.created_at as at from (
    select min(id) as entry from trades where user_id = e.user_id and id <= ${through}
       and (select count(*) from holdings h where h.user_id = e.user_id) >= s.n
     group by token_id order by 1 offset s.n - 1 limit 1
  ) first join trades t on t.id = first.entry`

const selectCreators = (range: Range): Sql => sql`
  select distinct k.creator_id as user_id from tokens k join users u on u.id = k.creator_id
   where ${within(sql`k.position`, range)} and ${GETS_STICKERS}`

const findNthLaunch = ({ through }: Range): Sql => sql`
  select k.position as entry, k.id as token_id, null::bigint as seq, k.created_at as at from tokens k
   where k.creator_id = e.user_id and (k.position <= ${through} or k.position is null)
   order by k.position nulls first, k.id offset s.n - 1 limit 1`

const selectBoughtTokens = (range: Range): Sql => sql`
  select distinct k.creator_id as user_id, k.id as token_id
    from trades t join tokens k on k.id = t.token_id join users u on u.id = k.creator_id
   where ${within(sql`t.id`, range)} and t.side = 'buy' and t.user_id <> k.creator_id and ${GETS_STICKERS}`

const findNthBuyer = (range: Range): Sql => sql`
  select t.id as entry, t.token_id, t.seq, t.created_at as at
    from (${findNthBuy({ tokenId: sql`e.token_id`, creatorId: sql`e.user_id`, n: sql`s.n`, range })}) nth
    join trades t on t.id = nth.entry`
