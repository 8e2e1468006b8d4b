import type { Database } from '@papermoon/db'
import { type RawBuilder, sql, type Transaction } from 'kysely'
import { visibleTokens } from '../../../database/visible-tokens.ts'

/** A rug pull is dated by the node that committed it; max difference between two nodes' clocks. */
const CLOCKS_DIFFER_MAX_H = 2

/** SQL: whether a rug pull `r` may have been committed since a time. */
export function ruggedSince(since: Date): RawBuilder<boolean> {
  return sql<boolean>`r.created_at >= ${since}::timestamptz - make_interval(hours => ${CLOCKS_DIFFER_MAX_H})`
}

/** Records the rug pulls since a time that were not recorded yet. Returns their number. */
export async function recordRugPulls(tx: Transaction<Database>, since: Date): Promise<number> {
  const { rows } = await sql`
    insert into notice_causes (key, kind, token_id, actor_id, seq, sol, created_at, last_at, told_to)
    select 'rug ' || r.token_id, 'rug', r.token_id, r.user_id, r.seq, r.amount, now(), now(), 0
      from rugs r join ${visibleTokens} t on t.id = r.token_id
     where ${ruggedSince(since)}
       and not exists (select from notice_causes c where c.key = 'rug ' || r.token_id)
    returning id`.execute(tx)
  return rows.length
}
