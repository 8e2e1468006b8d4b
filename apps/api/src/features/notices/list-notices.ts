import type { UserId } from '@papermoon/engine'
import type { App } from '../../context.ts'
import { findNotices } from '../../notices/read-notices.ts'
import type { NoticeList } from './schemas.ts'

/** A player's notices, newest first. */
export async function listNotices({ db }: Pick<App, 'db'>, userId: UserId): Promise<NoticeList> {
  const notices = await findNotices(db, userId)
  return { notices, unread: notices.filter(({ readAt }) => readAt === null).length }
}
