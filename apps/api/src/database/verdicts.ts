import { COURT_MS, VOTERS_MIN } from '@papermoon/contract/talk'
import { sql } from 'kysely'

/**
 * SQL for the verdicts of rugged tokens' courts, final or preliminary: `token_id`, `user_id` (the creator), `ended_at`
 * and `verdict`. Suspended and frozen accounts' votes do not count. There is no row if there are too few voters or a
 * tie.
 */
export const verdicts = sql`(
  select r.token_id, r.user_id, r.created_at + ${sql.lit(COURT_MS)} * interval '1 millisecond' as ended_at, found.verdict
    from rugs r cross join lateral (
      select case when sum(v.weight) filter (where v.verdict = 'scoundrel') * 2 > sum(v.weight)
                  then 'scoundrel' else 'fair game' end as verdict
        from court_votes v join users u on u.id = v.user_id
       where v.token_id = r.token_id and u.standing = 'active'
      having count(*) >= ${sql.lit(VOTERS_MIN)}
         and coalesce(sum(v.weight) filter (where v.verdict = 'scoundrel'), 0) * 2 <> sum(v.weight)
    ) found
   where r.token_id in (select token_id from court_votes))`
