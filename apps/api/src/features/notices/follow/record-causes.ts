import type { Tx } from '@papermoon/db'
import { sql } from 'kysely'
import { visibleTokens } from '../../../database/conditions.ts'
import { SAME_WITHIN_MIN } from '../notify-players.ts'

/** Max number of seals that one step processes. The next step processes the remaining seals. */
const SEALS_A_STEP = 100

/** Min part of the supply that a seller must hold for a notice about the sale. */
const LARGE_SHARE = '0.05'
/** Min part of the supply that such a seller must sell at once for a notice. */
const SOLD_SHARE = '0.01'

/** A range of journal positions: after `after` and up to `through`. */
export interface EntryRange {
  readonly after: number
  readonly through: number
}

/** Records the rug pulls in a range of the journal as causes of notices. */
export async function recordRugPulls(tx: Tx, { after, through }: EntryRange): Promise<number> {
  const { rows } = await sql`
    insert into notice_causes (key, kind, token_id, actor_id, seq, sol, created_at, last_at, told_to)
    select 'rug ' || r.token_id, 'rug', r.token_id, r.user_id, r.seq, r.amount, now(), now(), 0
      from rugs r join ${visibleTokens} t on t.id = r.token_id
     where r.position > ${after} and r.position <= ${through}
       and not exists (select from notice_causes c where c.key = 'rug ' || r.token_id)
    returning id`.execute(tx)
  return rows.length
}

/**
 * Records launches by players who have followers as causes of notices. A player's launches within `SAME_WITHIN_MIN`
 * share a cause, which names the latest token. Launches in fairs are in another journal, so followers learn nothing of
 * them.
 */
export async function recordLaunches(tx: Tx, { after, through }: EntryRange): Promise<number> {
  const { rows } = await sql`
    with launch as (
      select 'launch ' || t.creator_id as key, t.creator_id, max(t.id) as token_id, count(*)::int as times
        from ${visibleTokens} t
       where t.position > ${after} and t.position <= ${through}
         and exists (select from follows f where f.kind = 'player' and f.target_id = t.creator_id)
       group by t.creator_id
    ), again as (
      update notice_causes c
         set times = c.times + launch.times, token_id = launch.token_id, last_at = now(), told_to = coalesce(c.told_to, 0)
        from launch
       where c.id = (select max(id) from notice_causes where key = launch.key)
         and c.created_at > now() - make_interval(mins => ${SAME_WITHIN_MIN})
      returning c.key
    ), fresh as (
      insert into notice_causes (key, kind, token_id, actor_id, times, created_at, last_at, told_to)
      select key, 'follower', token_id, creator_id, times, now(), now(), 0
        from launch where key not in (select key from again)
      returning key
    )
    select key from again union all select key from fresh`.execute(tx)
  return rows.length
}

/**
 * Records the ends of seals as causes of notices: an hour before the end, five minutes before it, and at the end. A
 * seal shorter than an hour has no first notice. The end of a seal also gets a position in the journal. Marks each
 * cause in the same transaction, so that it happens only once, even with several nodes. Holders are not notified if the
 * seal was extended, or if the token was sealed again after its seal ended. Locks the pools, so that no order extends a
 * seal meanwhile. Skips pools that an order has locked until the next check. Returns the number of causes.
 */
export async function recordSealEnds(tx: Tx): Promise<number> {
  const { rows } = await sql`
    with due as materialized (
      select s.token_id, s.n, s.user_id, s.until, p.seq, next.kind as next_kind,
             s.until - s.created_at > interval '1 hour' as is_long,
             case when next.n is not null or s.until <= now() - interval '1 second' then 3
                  when s.until <= now() + interval '5 minutes' then 2 else 1 end as stage
        from seals s join pools p on p.token_id = s.token_id
        left join seals next on next.token_id = s.token_id and next.n = s.n + 1
       where (p.seals = s.n) = (next.n is null) -- False where a renewal was committed since this statement began.
         and s.told < 3 and s.until <= now() + interval '1 hour'
         and (s.told = 0 or (s.told = 1 and s.until <= now() + interval '5 minutes')
              or s.until <= now() - interval '1 second' or next.n is not null)
       order by s.until limit ${SEALS_A_STEP}
         for share of p skip locked
    ), marked as (
      update seals s
         set told = due.stage,
             ended_position = case when due.stage = 3 and due.next_kind is distinct from 'renewed' then -s.position end
        from due where s.token_id = due.token_id and s.n = due.n
    )
    insert into notice_causes (key, kind, token_id, actor_id, seq, detail, created_at, last_at, told_to)
    select format('seal %s %s %s', due.token_id, due.n, due.stage), 'seal', due.token_id, due.user_id, due.seq,
           jsonb_build_object('stage', (array['hour', 'minutes', 'ended'])[due.stage],
             'until', to_char(due.until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
           now(), now(), 0
      from due join ${visibleTokens} t on t.id = due.token_id
     where due.next_kind is null and (due.stage > 1 or due.is_long)
    returning id`.execute(tx)
  return rows.length
}

/**
 * Records sales of at least 1 % of a token by holders of more than 5 %, with one cause for each token and seller.
 * Current holdings and later sales show that most sellers did not hold so much. For the other sellers, reads the trades
 * to find the holdings before each sale. Returns the number of recorded causes.
 */
export async function recordWhaleSales(tx: Tx, { after, through }: EntryRange): Promise<number> {
  const { rows } = await sql`
    with sold as materialized (
      select token_id, user_id, sum(token_amount) as amount, min(seq) filter (where id <= ${through}) as first_seq
        from trades where id > ${after} and side = 'sell' group by token_id, user_id having min(id) <= ${through}
    ), candidate as materialized (
      select sold.token_id, sold.user_id, sold.first_seq, h.amount, t.supply
        from sold join holdings h on h.token_id = sold.token_id and h.user_id = sold.user_id
        join ${visibleTokens} t on t.id = sold.token_id
       where h.amount + sold.amount > t.supply * ${LARGE_SHARE}::numeric
    ), traded as (
      select t.token_id, t.user_id, t.id, t.seq, t.side, t.token_amount, t.sol_amount, c.supply,
             c.amount + sum(case t.side when 'sell' then t.token_amount else -t.token_amount end)
               over (partition by t.token_id, t.user_id order by t.seq desc) as held_before
        from candidate c join trades t on t.token_id = c.token_id and t.user_id = c.user_id and t.seq >= c.first_seq
    ), sale as (
      select format('whale %s %s', token_id, user_id) as key, token_id, user_id, max(seq) as seq, count(*)::int as times,
             sum(token_amount) as tokens, sum(sol_amount) as sol
        from traded
       where side = 'sell' and id <= ${through} and held_before > supply * ${LARGE_SHARE}::numeric
         and token_amount >= supply * ${SOLD_SHARE}::numeric
       group by token_id, user_id
    ), again as (
      update notice_causes c
         set times = c.times + sale.times, tokens = c.tokens + sale.tokens, sol = c.sol + sale.sol, seq = sale.seq,
             last_at = now(), told_to = coalesce(c.told_to, 0)
        from sale
       where c.id = (select max(id) from notice_causes where key = sale.key)
         and c.created_at > now() - make_interval(mins => ${SAME_WITHIN_MIN})
      returning c.key
    ), fresh as (
      insert into notice_causes (key, kind, token_id, actor_id, seq, times, tokens, sol, created_at, last_at, told_to)
      select key, 'whale', token_id, user_id, seq, times, tokens, sol, now(), now(), 0
        from sale where key not in (select key from again)
      returning key
    )
    select key from again union all select key from fresh`.execute(tx)
  return rows.length
}
