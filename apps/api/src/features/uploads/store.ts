import type { Db, Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'

/** Keeps the sweep from deleting a picture that a player is taking, until the transaction ends. */
export async function lockPicture(tx: Tx, url: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${url}, 0))`.execute(tx)
}

export async function setPictureUrl(tx: Tx, userId: UserId, url: string): Promise<void> {
  await tx.updateTable('users').set({ profile_picture_url: url }).where('id', '=', userId).execute()
}

/** Which of these pictures a player uses. */
export async function findUsedPictures(db: Db, urls: readonly string[]): Promise<Set<string>> {
  if (urls.length === 0) return new Set()
  const rows = await db
    .selectFrom('users')
    .select('profile_picture_url')
    .distinct()
    .where('profile_picture_url', 'in', [...urls])
    .execute()
  return new Set(rows.flatMap(({ profile_picture_url: url }) => (url === null ? [] : [url])))
}
