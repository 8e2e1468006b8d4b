import type { Db } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'

interface EventPage {
  readonly userId: UserId
  readonly since: Date
  /** The last event of the page before; null: the first page. */
  readonly before: { readonly at: Date; readonly id: number } | null
  readonly limit: number
}

/** A page of an account's events since a moment, newest first. */
export async function findEvents(db: Db, { userId, since, before, limit }: EventPage) {
  const all = db
    .selectFrom('account_events')
    .select(['id', 'kind', 'at', 'times', 'address', 'browser', 'detail'])
    .where('user_id', '=', userId)
    .where('at', '>', since)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (before === null) return await all.execute()
  return await all.where(sql<boolean>`(at, id) < (${before.at}, ${before.id})`).execute()
}
