import type { Tx } from '@papermoon/db'
import { sql } from 'kysely'
import { visibleTokens } from '../../../database/visible-tokens.ts'

/** Positions in the journal in (after, through]. */
export interface EntryRange {
  readonly after: number
  readonly through: number
}

/** Records the rug pulls in a range as causes of notices. */
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
