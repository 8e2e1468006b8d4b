import type { Tx } from '@papermoon/db'
import { sql } from 'kysely'
import type { AppPart } from '../../../../context.ts'
import { isBehind, type JournalPosition } from '../../../../events/stream/event-cursors.ts'
import { lockPosition } from '../../../../notices/notice-position.ts'
import { tellOwners } from '../../follow/tell-owners.ts'

/** Entries of the journal of one step. */
const ENTRIES_A_STEP = 20_000

/**
 * Sends players the notices of their waiting orders in fairs, and marks the webhooks of fairs with new events, up to the
 * settled place of the fairs' journal. Every node does it from one place in the database, so the others go on when one
 * dies. Takes and returns the place that was reached.
 */
export async function followFairs(
  { platform, market }: AppPart<'db' | 'fairs'>,
  followed: JournalPosition,
): Promise<JournalPosition> {
  const end = market.fairs?.live.stream.position ?? followed
  let place = followed
  while (isBehind(place, end)) place = await platform.db.transaction().execute((tx) => takeStep(tx, end))
  return place
}

/** Returns the place after it. */
async function takeStep(tx: Tx, end: JournalPosition): Promise<JournalPosition> {
  const { fair_trade_id: after, fair_token_id: afterToken } = await lockPosition(tx)
  const entry = Math.max(after, Math.min(end.entry, after + ENTRIES_A_STEP))
  const tokenId = Math.max(afterToken, end.tokenId)
  if (entry === after && tokenId === afterToken) return { entry, tokenId }
  const told = await tellOwners(tx, { after, through: entry }, 'fairs')
  await wakeWebhooks(tx, { after, through: entry, afterToken, throughToken: tokenId })
  // Where nobody was told, losing this in a crash costs a second look only, so orders' commits need not wait for it.
  if (told === 0) await sql`set local synchronous_commit = off`.execute(tx)
  await sql`update notice_position set fair_trade_id = ${entry}, fair_token_id = ${tokenId}`.execute(tx)
  return { entry, tokenId }
}

interface Looked {
  readonly after: number
  readonly through: number
  readonly afterToken: number
  readonly throughToken: number
}

/** As in the fairground, a webhook that sleeps has none of its events before this step. */
async function wakeWebhooks(tx: Tx, { after, through, ...tokens }: Looked): Promise<void> {
  const { rows } = await sql`
    select from webhooks where fairs is not null and not is_ready and verified_at is not null limit 1`.execute(tx)
  if (rows.length === 0) return
  await sql`
    with moved as materialized (
      select distinct t.fair_id, 'trade' as kind, m.user_id from fairs.trades m join fairs.tokens t on t.id = m.token_id
       where m.id > ${after} and m.id <= ${through}
      union all
      select t.fair_id, 'rug', null from fairs.rugs m join fairs.tokens t on t.id = m.token_id
       where m.position > ${after} and m.position <= ${through}
      union all
      select t.fair_id, 'post', null from fairs.posts m join fairs.tokens t on t.id = m.topic
       where (m.position > ${after} and m.position <= ${through})
          or (m.changed_position > ${after} and m.changed_position <= ${through})
      union all
      select t.fair_id, 'order', m.user_id from fairs.waiting_orders m join fairs.tokens t on t.id = m.token_id
       where m.position > ${after} and m.position <= ${through}
      union all
      select fair_id, 'fair', null from fairs.fair_moments where position > ${after} and position <= ${through}
      union all
      select fair_id, 'launch', null from fairs.tokens where id > ${tokens.afterToken} and id <= ${tokens.throughToken}
    )
    update webhooks w set is_ready = true, fair_trade_id = greatest(w.fair_trade_id, ${after})
     where w.fairs is not null and not w.is_ready and w.verified_at is not null and exists (
       select from moved m where m.fair_id = any(w.fairs)
          and ((m.kind = any(w.events) and (m.kind <> 'order' or m.user_id = w.user_id))
            or (m.kind = 'trade' and m.user_id = w.user_id and 'fill' = any(w.events))))`.execute(tx)
}
