import { formatNumeric, type Tx } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { type RawBuilder, sql } from 'kysely'
import { visibleTokens } from '../../../database/conditions.ts'
import { notifyPlayers, type PersonalCause } from '../notify-players.ts'
import type { EntryRange } from './record-causes.ts'

/** Min part of the supply that a new holder must have for a notice to the creator. */
const LARGE_SHARE = '0.01'
/** Max number of notices about new holders that a creator gets per hour. All tokens of the creator share this limit. */
const HOLDERS_AN_HOUR = 10
/** Market caps in SOL that are milestones: $10K, $20K, $50K, $100K, $500K, $1M and $10M. */
const CAPS = ['50', '100', '250', '500', '2500', '5000', '50000']
const HOLDERS = ['10', '25', '50', '100', '250', '500', '1000', '10000']

/**
 * Notifies creators when others trade their tokens: of the first buyer, each new holder above 1 %, and milestones.
 * Tokens that the creator holds do not count, because a milestone uses the market cap as if the creator had sold them.
 */
export async function notifyCreators(tx: Tx, range: EntryRange): Promise<number> {
  const { rows } = await sql<NewsRow>`
    with ${selectTraders(range)}
    select * from (${selectFirstBuyers(range)}) buyer
    union all select * from (${selectNewHolders()}) holder
    union all select * from (${selectMilestones(range)}) milestone`.execute(tx)
  return await notifyPlayers(tx, rows.map(toCause))
}

/**
 * SQL for `own`, the players' tokens that were traded in the range, and `trader`, the players who have traded them
 * since the range began.
 */
function selectTraders({ after, through }: EntryRange): RawBuilder<unknown> {
  return sql`
    own as materialized (
      select t.id as token_id, t.creator_id, t.supply
        from (select token_id from trades where id > ${after} and id <= ${through} group by token_id) moved
        join ${visibleTokens} t on t.id = moved.token_id join users u on u.id = t.creator_id
       where u.kind <> 'house' and u.deleted_at is null
    ), trader as materialized (
      select own.token_id, own.creator_id, own.supply, t.user_id, coalesce(h.amount, 0) as held,
             coalesce(h.amount, 0) - sum(case t.side when 'buy' then t.token_amount else -t.token_amount end) as held_before,
             min(t.seq) filter (where t.side = 'buy' and t.id <= ${through}) as first_buy, max(t.seq) as last_seq
        from own join trades t using (token_id)
        left join holdings h on h.token_id = own.token_id and h.user_id = t.user_id
       where t.id > ${after} group by own.token_id, own.creator_id, own.supply, t.user_id, h.amount
    )`
}

/** SQL for the first buy of a token by another player, which happens only once. */
function selectFirstBuyers({ after }: EntryRange): RawBuilder<unknown> {
  return sql`
    select distinct on (token_id) 'buyer' as kind, 'buyer ' || token_id as key, creator_id, token_id,
           trader.user_id as actor_id, first_buy as seq, null as measure, t.sol_amount as value
      from trader join trades t using (token_id)
     where t.seq = first_buy and trader.user_id <> creator_id and not exists (
       select from trades early where early.token_id = trader.token_id and early.user_id <> creator_id and early.id <= ${after})
     order by token_id, first_buy`
}

/**
 * SQL for players whose holding rose above the minimum, unless the creator was recently notified about them or about
 * many others.
 */
function selectNewHolders(): RawBuilder<unknown> {
  return sql`
    select 'holder' as kind, key, creator_id, token_id, user_id as actor_id, last_seq as seq, null as measure, held as value
      from (select *, format('holder %s %s', token_id, user_id) as key,
                   row_number() over (partition by creator_id order by held desc, user_id) as place from trader
             where user_id <> creator_id and held > supply * ${LARGE_SHARE}::numeric
               and held_before <= supply * ${LARGE_SHARE}::numeric) fresh
     where not exists (select from notice_causes c where c.key = fresh.key)
       and place + (select count(*) from notices n where n.user_id = creator_id and n.kind = 'holder'
                       and n.created_at > now() - interval '1 hour') <= ${HOLDERS_AN_HOUR}`
}

/** SQL for the highest market cap and the highest number of holders of a token in the range. */
function selectMilestones({ after }: EntryRange): RawBuilder<unknown> {
  const cap = (pool: string, held: string) => {
    const [sol, tokens, bag] = [`${pool}.sol_reserve`, `${pool}.token_reserve`, `creator.${held}`].map((it) =>
      sql.ref(it),
    )
    return sql`${sol} * ${tokens} / (${tokens} + coalesce(${bag}, 0)) ^ 2 * own.supply`
  }
  return sql`
    with reached as (
      select token_id, creator_id, 'marketCap' as measure, figures.before, figures.now, ${CAPS}::numeric[] as levels from (
        select own.token_id, own.creator_id, coalesce(${cap('past', 'held_before')}, 0) as before, ${cap('p', 'held')} as now
          from own join pools p using (token_id)
          left join lateral (
            select h.amount as held, h.amount - coalesce((
                     select held - held_before from trader where token_id = own.token_id and user_id = own.creator_id
                   ), 0) as held_before from holdings h where h.token_id = own.token_id and h.user_id = own.creator_id
          ) creator on true
          left join lateral (
            select sol_reserve, token_reserve from trades where token_id = own.token_id and id <= ${after}
             order by seq desc limit 1) past on true
         where p.rugged_at is null) figures
      union all
      select token_id, creator_id, 'holders', now - joined, now, ${HOLDERS}::numeric[] from (
        select token_id, creator_id, count(*) filter (where held > 0 and held_before = 0)
                 - count(*) filter (where held = 0 and held_before > 0) as joined
          from trader where user_id <> creator_id group by token_id, creator_id) moved
        cross join lateral (
          select count(*) as now from holdings h
           where moved.joined > 0 and h.token_id = moved.token_id and h.user_id <> creator_id and h.amount > 0) counted
    ), milestone as (
      select token_id, creator_id, measure, max(level) as level from reached cross join unnest(levels) as level
       where level > before and level <= now group by token_id, creator_id, measure
    )
    select 'milestone' as kind, key, creator_id, token_id, null::int as actor_id,
           (select max(last_seq) from trader t where t.token_id = passed.token_id) as seq, measure, level as value
      from (select *, format('milestone %s %s %s', token_id, measure, level) as key from milestone) passed
     where not exists (select from notice_causes c where c.key = passed.key)`
}

interface NewsRow {
  readonly kind: 'buyer' | 'holder' | 'milestone'
  readonly key: string
  readonly creator_id: UserId
  readonly token_id: TokenId
  readonly actor_id: UserId | null
  readonly seq: number
  readonly measure: string | null
  /** The SOL that the first buyer paid, the number of tokens that the holder has, or the milestone's value. */
  readonly value: string
}

function toCause({ kind, key, creator_id, token_id, actor_id, seq, measure, value }: NewsRow): PersonalCause {
  const detail = { value: formatNumeric(value), ...(measure !== null && { measure }) }
  return { userId: creator_id, kind, key, tokenId: token_id, actorId: actor_id, seq, detail }
}
