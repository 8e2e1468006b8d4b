import type { AccountEvents, ListEventsInput } from '@papermoon/contract/account'
import type { Db } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { App } from '../../../context.ts'
import { RECORDS_STORED_MS } from '../../../delete-old-rows.ts'
import { BadInputError } from '../../../errors.ts'

const CURSOR = /^(\d{1,15})-(\d{1,15})$/

/** Lists an account's events of the last 90 days, newest first. Throws `BadInputError` for an invalid cursor. */
export async function listEvents(app: App, userId: UserId, { limit, cursor }: ListEventsInput): Promise<AccountEvents> {
  const before = cursor === undefined ? null : parseCursor(cursor)
  const since = new Date(app.platform.clock.now().getTime() - RECORDS_STORED_MS)
  const rows = await findEvents(app.platform.db, { userId, since, before, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    events: page.map(({ id, kind, at, times, address, browser, detail }) => {
      return { id, kind, at: at.toISOString(), times, address, browser, detail }
    }),
    nextCursor: rows.length > limit && last !== undefined ? `${last.at.getTime()}-${last.id}` : null,
  }
}

function parseCursor(text: string): { at: Date; id: number } {
  const [, at, id] = CURSOR.exec(text) ?? []
  if (at === undefined || id === undefined) throw new BadInputError('cursor is not one that this list gave.')
  return { at: new Date(Number(at)), id: Number(id) }
}

interface EventPage {
  readonly userId: UserId
  readonly since: Date
  /** The last event of the previous page. Null for the first page. */
  readonly before: { readonly at: Date; readonly id: number } | null
  readonly limit: number
}

/** Finds a page of an account's events since a certain time, newest first. */
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
