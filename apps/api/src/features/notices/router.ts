import { tracked } from '@trpc/server'
import { findNotices } from '../../notices/read-notices.ts'
import { router, signedIn } from '../../trpc.ts'
import {
  markReadInput,
  noticeFeedInput,
  noticeList,
  noticeSettings,
  noticeSettingsInput,
  unreadLeft,
} from './schemas.ts'
import { countUnread, findMuted, markRead, setMuted } from './store.ts'

export const noticesRouter = router({
  list: signedIn.output(noticeList).query(async ({ ctx: { app, userId } }) => {
    const notices = await findNotices(app.db, userId)
    return { notices, unread: notices.filter(({ readAt }) => readAt === null).length }
  }),
  /** The player's notices as they come; resumes after the last id that the client saw. */
  live: signedIn.input(noticeFeedInput).subscription(async function* ({ ctx, input, signal }) {
    const lastId = input.lastEventId == null ? null : Number(input.lastEventId)
    for await (const notice of ctx.app.notices.follow(ctx.userId, lastId, signal)) {
      yield tracked(String(notice.id), notice)
    }
  }),
  markRead: signedIn
    .meta({ whenSuspended: 'allowed' })
    .input(markReadInput)
    .output(unreadLeft)
    .mutation(async ({ ctx: { app, userId }, input }) => {
      await markRead(app.db, userId, { ids: input.ids, now: app.clock.now() })
      return { unread: await countUnread(app.db, userId) }
    }),
  settings: signedIn
    .meta({ apiKey: 'never' })
    .output(noticeSettings)
    .query(async ({ ctx }) => ({ muted: await findMuted(ctx.app.db, ctx.userId) })),
  setSettings: signedIn
    .meta({ whenSuspended: 'allowed' })
    .input(noticeSettingsInput)
    .output(noticeSettings)
    .mutation(async ({ ctx, input }) => {
      await setMuted(ctx.app.db, ctx.userId, input.muted)
      return { muted: input.muted }
    }),
})
