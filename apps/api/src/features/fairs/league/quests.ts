import { hash } from 'node:crypto'
import { TAPE_MS } from '@papermoon/contract/tape'
import { type RawBuilder, sql } from 'kysely'

const QUESTS_A_DAY = 3
/** The price after the fall that a quest requires, as a fraction of the price before it. */
const FALLEN = 0.9
const DIPPED = 0.8
/** Number of earlier trades in which to look for the token's highest price before a buy. */
const DIP_TRADES = 200

/** The period whose events count for a quest. The period lies within a UTC day, from `from` to just before `until`. */
export interface QuestSpan {
  /** The UTC day, such as `2026-01-05`. */
  readonly day: string
  readonly from: Date
  readonly until: Date
}

interface Quest {
  readonly id: string
  /** Description of the quest for players. */
  readonly text: string
  /** Returns SQL for the `user_id` of each player who completed the quest by an event in the period. */
  readonly select: (span: QuestSpan) => RawBuilder<unknown>
}

type Sql = RawBuilder<unknown>

const within = (column: Sql, { from, until }: QuestSpan): Sql => sql`${column} >= ${from} and ${column} < ${until}`
const dayStart = ({ day }: QuestSpan): Sql => sql`${`${day}T00:00:00Z`}::timestamptz`

/** Returns SQL for the ranked results `r` of arenas that were settled in the period. */
const selectResults = (span: QuestSpan, where: Sql): Sql => sql`
  select r.user_id from fairs f join fair_results r on r.fair_id = f.id
   where ${within(sql`f.settled_at`, span)} and f.kind = 'arena' and r.is_ranked and ${where}`

/** Returns SQL for the players of trades `t` of tokens `k` in the period, without house bots. */
const selectTrades = (span: QuestSpan, where: Sql): Sql => sql`
  select t.user_id from trades t join tokens k on k.id = t.token_id join users u on u.id = t.user_id
   where ${within(sql`t.created_at`, span)} and u.kind <> 'house' and ${where}`

/**
 * All quests. Quests that a player can do alone come first, and the hardest to understand come last, because home names
 * a player's first open quest. Anyone can check from the journal, arena results, daily games and posts who completed each
 * quest.
 */
export const QUESTS: readonly Quest[] = [
  {
    id: 'ranked',
    text: 'Play an arena and be ranked',
    select: (span) => selectResults(span, sql`true`),
  },
  {
    id: 'upper',
    text: 'Finish an arena in the upper half',
    select: (span) =>
      selectResults(
        span,
        sql`r.place * 2 <= (select count(*) from fair_results x where x.fair_id = r.fair_id and x.is_ranked)`,
      ),
  },
  {
    id: 'house',
    text: 'Beat every house bot in an arena',
    select: (span) =>
      selectResults(
        span,
        sql`r.place < (
          select min(x.place) from fair_results x where x.fair_id = r.fair_id and x.is_ranked and x.is_bot)`,
      ),
  },
  {
    id: 'profit',
    text: 'Sell a token for 10% more than you paid today',
    select: (span) =>
      selectTrades(
        span,
        sql`t.side = 'sell' and t.price >= 1.1 * (
          select b.price from trades b where b.user_id = t.user_id and b.created_at >= ${dayStart(span)}
             and b.created_at <= t.created_at and b.token_id = t.token_id and b.side = 'buy' and b.seq < t.seq
           order by b.seq desc limit 1)`,
      ),
  },
  {
    id: 'green',
    text: 'Finish today’s tape with a gain',
    select: ({ day, until }) => sql`
      select user_id from tape_plays
       where day = ${day} and user_id is not null and gain > 0
         and started_at + coalesce(sold_ms, ${TAPE_MS}) * interval '1 ms' < ${until}`,
  },
  {
    id: 'filled',
    text: 'Have a waiting order filled',
    select: (span) => selectTrades(span, sql`t.request_key ~ '^order [0-9]+ fill '`),
  },
  {
    id: 'launch',
    text: 'Launch a token that three others buy',
    select: (span) => sql`
      select k.creator_id as user_id from trades t join tokens k on k.id = t.token_id
        join users u on u.id = k.creator_id
       where ${within(sql`t.created_at`, span)} and u.kind <> 'house' and k.created_at >= ${dayStart(span)}
         and (select count(distinct b.user_id) from trades b where b.token_id = k.id and b.side = 'buy'
             and b.user_id <> k.creator_id and b.created_at < ${span.until}) >= 3`,
  },
  {
    id: 'early',
    text: 'Make one of the first five trades of someone’s token',
    select: (span) => selectTrades(span, sql`t.side = 'buy' and t.seq <= 5 and t.user_id <> k.creator_id`),
  },
  {
    id: 'three',
    text: 'Trade three tokens of other players',
    select: (span) => sql`
      select t.user_id from trades t join tokens k on k.id = t.token_id join (
        select distinct x.user_id from trades x join users u on u.id = x.user_id
           where ${within(sql`x.created_at`, span)} and u.kind <> 'house') recent using (user_id)
       where t.created_at >= ${dayStart(span)} and t.created_at < ${span.until} and t.user_id <> k.creator_id
       group by t.user_id having count(distinct t.token_id) >= 3`,
  },
  {
    id: 'answered',
    text: 'Write a post that someone replies to',
    select: (span) => sql`
      select parent.user_id from posts p join posts parent on parent.id = p.parent_id
       where ${within(sql`p.created_at`, span)} and p.created_at < parent.created_at + interval '1 day'
         and p.user_id <> parent.user_id and p.state in ('shown', 'deleted')`,
  },
  {
    id: 'dip',
    text: 'Buy a token that fell by 20% within an hour',
    select: (span) =>
      selectTrades(
        span,
        sql`t.side = 'buy' and exists (
          select from trades x where x.token_id = t.token_id and x.seq < t.seq and x.seq >= t.seq - ${DIP_TRADES}
             and x.created_at >= t.created_at - interval '1 hour' and x.user_id <> t.user_id
             and t.price <= x.spot_price * ${DIPPED})`,
      ),
  },
  {
    id: 'fall',
    text: 'Hold a token less than an hour old while it falls by 10%, then sell it',
    select: (span) =>
      selectTrades(
        span,
        sql`t.side = 'sell' and t.created_at < k.created_at + interval '1 day' and exists (
          select from trades b join trades fall on fall.token_id = b.token_id and fall.seq > b.seq and fall.seq < t.seq
           where b.token_id = t.token_id and b.seq < t.seq and b.user_id = t.user_id and b.side = 'buy'
             and fall.created_at < k.created_at + interval '1 hour' and fall.user_id <> t.user_id
             and fall.spot_price <= b.spot_price * ${FALLEN} and not exists (
               select from trades s where s.token_id = t.token_id and s.seq > b.seq and s.seq < fall.seq
                 and s.user_id = t.user_id and s.side = 'sell'))`,
      ),
  },
]

/** Quests that depend only on trades and results, which are never deleted. */
export const LASTING_QUESTS: ReadonlySet<string> = new Set(
  QUESTS.map(({ id }) => id).filter((id) => id !== 'answered' && id !== 'green'),
)

/** Draws the three quests of a day, which are the same for all players. Returns them in the order of `QUESTS`. */
export function drawQuests(day: string): Quest[] {
  const rankOf = ({ id }: Quest) => hash('sha256', `Papermoon quests ${day} ${id}`, 'hex')
  const drawn = QUESTS.toSorted((a, b) => (rankOf(a) < rankOf(b) ? -1 : 1)).slice(0, QUESTS_A_DAY)
  return QUESTS.filter((quest) => drawn.includes(quest))
}

/** Returns SQL for the `user_id` and `quest` of players who completed quests of the day in the period. */
export function selectDone(span: QuestSpan): RawBuilder<{ user_id: number; quest: string }> {
  const done = drawQuests(span.day).map(
    ({ id, select }) => sql`select ${id}::text as quest, d.* from (${select(span)}) d`,
  )
  return sql`
    select distinct d.user_id, d.quest from (${sql.join(done, sql` union all `)}) d join users u on u.id = d.user_id
     where u.kind <> 'house' and u.deleted_at is null`
}
