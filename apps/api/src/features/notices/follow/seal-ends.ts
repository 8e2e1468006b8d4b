import type { Tx } from '@papermoon/db'
import { sql } from 'kysely'
import { visibleTokens } from '../../../database/visible-tokens.ts'

/** Max number of seals per step. The next step processes the rest. */
const SEALS_A_STEP = 100

/**
 * Records the ends of seals as causes: an hour before (unless the seal is shorter), five minutes before, and when they
 * have ended, which also gets a position in the journal. Marks each in the same transaction, so it happens once on any
 * number of nodes. An extended seal has no such end, and if a token was sealed again after its seal ended, holders are
 * not notified. Locks the pools, and skips those that an order has locked until the next check, so that no seal is
 * extended meanwhile. Returns the number of causes.
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
