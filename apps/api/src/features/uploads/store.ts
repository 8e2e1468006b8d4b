import { APPEAL_DAYS } from '@papermoon/contract/reports'
import type { Database, Db, Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { type Insertable, sql } from 'kysely'
import { LOCK_IDS } from '../../database/take-lock.ts'
import { DAY_MS } from '../../lib/durations.ts'
import type { UploadKey } from '../../storage/object-store.ts'

/**
 * Locks a picture until the transaction ends, so that the sweep does not delete a picture that a player is choosing.
 */
export async function lockPicture(tx: Tx, url: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${url}, 0))`.execute(tx)
}

export async function setPictureUrl(tx: Tx, userId: UserId, url: string): Promise<void> {
  await tx.updateTable('users').set({ profile_picture_url: url }).where('id', '=', userId).execute()
}

/** Returns the pictures that a player uses, or that an appeal could restore. */
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

export async function insertUpload(db: Db, upload: Insertable<Database['uploads']>): Promise<void> {
  await db.insertInto('uploads').values(upload).execute()
}

interface FoundUpload {
  readonly secretHash: Buffer
  readonly expiresAt: Date
  readonly receivedAt: Date | null
}

export async function findUpload(db: Db, key: UploadKey): Promise<FoundUpload | undefined> {
  return await db
    .selectFrom('uploads')
    .select(['secret_hash as secretHash', 'expires_at as expiresAt', 'received_at as receivedAt'])
    .where('key', '=', key)
    .executeTakeFirst()
}

/** Takes a lock until the transaction ends, so that all nodes reserve uploads one at a time. */
export async function lockQuota(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK_IDS.uploadQuota})`.execute(tx)
}

/** Number and size of uploads that are not used yet, or that are still arriving. */
interface Waiting {
  /** Number of files of this player. */
  readonly mine: number
  /** Total size of all players' files in bytes. */
  readonly bytes: number
}

export async function countWaiting(db: Db, userId: UserId): Promise<Waiting> {
  return await db
    .selectFrom('uploads')
    .where('received_at', 'is not', null)
    .select([
      sql<number>`(count(*) filter (where user_id = ${userId}))::int`.as('mine'),
      // A float is exact here, because the quota limits the sum.
      sql<number>`coalesce(sum(bytes), 0)::float8`.as('bytes'),
    ])
    .executeTakeFirstOrThrow()
}

/** Reserves an unused URL; returns false if the URL is already reserved. */
export async function takeAddress(
  tx: Tx,
  { key, now, bytes }: { readonly key: UploadKey; readonly now: Date; readonly bytes: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('uploads')
    .set({ received_at: now, bytes })
    .where('key', '=', key)
    .where('received_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Frees a reserved upload URL. */
export async function releaseAddress(db: Db, key: UploadKey): Promise<void> {
  await db.updateTable('uploads').set({ received_at: null, bytes: null }).where('key', '=', key).execute()
}

/** Records the size of an upload; returns false if it was deleted meanwhile. */
export async function setUploadBytes(db: Db, key: UploadKey, bytes: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('uploads')
    .set({ bytes })
    .where('key', '=', key)
    .where('received_at', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Deletes unused uploads created before `before`, the oldest first, until `bytes` are free. Returns the keys of the
 * objects that the caller must delete.
 */
export async function evictWaiting(
  tx: Tx,
  { before, bytes }: { readonly before: Date; readonly bytes: number },
): Promise<{ readonly keys: UploadKey[]; readonly bytes: number }> {
  const { rows } = await sql<{ key: UploadKey; bytes: number }>`
    delete from uploads where key in (
      select key from (
        select key, bytes, sum(bytes) over (order by received_at, key) - bytes as freed
          from uploads where received_at < ${before}
      ) waiting where freed < ${bytes}
    ) returning key, bytes`.execute(tx)
  return { keys: rows.map(({ key }) => key), bytes: rows.reduce((sum, row) => sum + row.bytes, 0) }
}

export async function deleteUpload(db: Db, key: UploadKey): Promise<void> {
  await db.deleteFrom('uploads').where('key', '=', key).execute()
}

/** Deletes at most `most` upload URLs that were created before `before`. Returns the number of deleted files. */
export async function deleteOldUploads(db: Db, before: Date, most: number): Promise<number> {
  const old = db.selectFrom('uploads').select('key').where('created_at', '<', before).limit(most)
  const { numDeletedRows } = await db.deleteFrom('uploads').where('key', 'in', old).executeTakeFirst()
  return Number(numDeletedRows)
}
