import type { Tx } from '@papermoon/db'
import { sql } from 'kysely'
import type { EntryRange } from './rug-pulls.ts'

/**
 * Marks the webhooks for which a step of the follower found something. A webhook that was not marked has no events
 * before the step, so its position moves up to the step and it skips the range.
 */
export async function wakeWebhooks(tx: Tx, { after, through }: EntryRange, schema: 'public' | 'fairs'): Promise<void> {
  if (through <= after) return
  const isOfMarket = schema === 'fairs' ? sql`fairs is not null` : sql`fairs is null`
  const sleeping = await sql`
    select from webhooks where not is_ready and verified_at is not null and ${isOfMarket} limit 1`.execute(tx)
  if (sleeping.rows.length === 0) return
  const table = (name: string) => sql.table(`${schema}.${name}`)
  const position = sql.ref(schema === 'fairs' ? 'fair_trade_id' : 'trade_id')
  const isIn = (column: string) => sql`${sql.ref(column)} > ${after} and ${sql.ref(column)} <= ${through}`
  await sql`
    with moved as materialized (
      select distinct 'trade' as kind, token_id, user_id from ${table('trades')} where ${isIn('id')}
      union all select 'rug', token_id, null from ${table('rugs')} where ${isIn('position')}
      union all select 'launch', id, null from ${table('tokens')} where ${isIn('position')}
      union all select 'post', topic, null from ${table('posts')}
        where topic > 0 and ((${isIn('position')}) or (${isIn('changed_position')}))
      union all select 'order', token_id, user_id from ${table('waiting_orders')} where ${isIn('position')}
    ), found as materialized (
      select moved.*, t.fair_id from moved join ${table('tokens')} t on t.id = moved.token_id
      union all select 'fair', null, null, fair_id from ${table('fair_moments')} where ${isIn('position')}
    )
    update webhooks w set is_ready = true, ${position} = greatest(w.${position}, ${after})
     where w.${isOfMarket} and not w.is_ready and w.verified_at is not null and exists (
       select from found f where (w.fairs is null or f.fair_id = any(w.fairs)) and (
         (f.kind = any(w.events) and (f.kind <> 'order' or f.user_id = w.user_id)
           and (w.token_ids is null or f.kind not in ('trade', 'post', 'rug') or f.token_id = any(w.token_ids)))
         or (f.kind = 'trade' and f.user_id = w.user_id and 'fill' = any(w.events))))`.execute(tx)
}
