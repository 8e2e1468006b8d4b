import type { Database } from '@papermoon/db'
import { sql, type Transaction } from 'kysely'
import type { EntryRange } from '../follow/rug-pulls.ts'

interface Looked {
  readonly trades: EntryRange
  readonly hasLaunches: boolean
  readonly hasRugs: boolean
}

/**
 * Marks webhooks for which the follower's step found something. A webhook that was not marked before has none of its events among
 * earlier trades, so its place moves up to the step: later it reads no trades in vain.
 */
export async function wakeWebhooks(tx: Transaction<Database>, { trades, ...found }: Looked): Promise<void> {
  const hasTrades = trades.through > trades.after
  if (!hasTrades && !found.hasLaunches && !found.hasRugs) return
  const sleeping = await tx
    .selectFrom('webhooks')
    .select('id')
    .where('is_ready', '=', false)
    .where('verified_at', 'is not', null)
    .limit(1)
    .execute()
  if (sleeping.length === 0) return
  await sql`
    with moved as materialized (
      select distinct token_id, user_id from trades where id > ${trades.after} and id <= ${trades.through}
    )
    update webhooks w set is_ready = true, trade_id = greatest(w.trade_id, ${trades.after})
     where not w.is_ready and w.verified_at is not null and (
       (${found.hasLaunches} and 'launch' = any(w.events))
       or (${found.hasRugs} and 'rug' = any(w.events))
       or ('trade' = any(w.events) and exists (
         select from moved m where w.token_ids is null or m.token_id = any(w.token_ids)))
       or ('fill' = any(w.events) and exists (select from moved m where m.user_id = w.user_id)))`.execute(tx)
}
