import { APPEAL_DAYS } from '@papermoon/contract/reports'
import type { Db, Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { DAY_MS } from '../../lib/durations.ts'

/**
 * Locks a picture until the transaction ends, so that the sweep does not delete a picture that a player is choosing.
 */
export async function lockPicture(tx: Tx, url: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${url}, 0))`.execute(tx)
}

export async function setPictureUrl(tx: Tx, userId: UserId, url: string): Promise<void> {
  await tx.updateTable('users').set({ profile_picture_url: url }).where('id', '=', userId).execute()
}

/** Returns the pictures that a player uses, or would get back if an appeal is granted. */
export async function findUsedPictures(db: Db, urls: readonly string[], now: Date): Promise<Set<string>> {
  if (urls.length === 0) return new Set()
  const appealed = new Date(now.getTime() - APPEAL_DAYS * DAY_MS)
  const { rows } = await sql<{ url: string }>`
    select u.profile_picture_url as url from users u where u.profile_picture_url = any(${urls})
    union
    select l.detail::json->>'url' from moderation_log l join users u on u.id = l.target_id
     where l.kind = 'picture' and l.act = 'hide' and l.detail::json->>'url' = any(${urls})
       and u.profile_picture_url is null and u.deleted_at is null
       and (l.at > ${appealed} or exists (select from appeals a where a.log_id = l.id and a.decided_at is null))`.execute(
    db,
  )
  return new Set(rows.map(({ url }) => url))
}
