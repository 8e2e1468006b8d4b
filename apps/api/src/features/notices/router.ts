import { contract } from '@papermoon/contract'
import { tracked } from '@trpc/server'
import { findNotices } from '../../notices/read-notices.ts'
import { implement, router } from '../../trpc.ts'
import { countUnread, findMuted, markRead, setMuted } from './store.ts'

export const noticesRouter = router({
  list: implement(contract.notices.list, async ({ ctx: { app, userId } }) => {
    const notices = await findNotices(app.platform.db, userId)
    return { notices, unread: notices.filter(({ readAt }) => readAt === null).length }
  }),
  live: implement(contract.notices.live, async function* ({ ctx, input, signal }) {
    const lastId = input.lastEventId == null ? null : Number(input.lastEventId)
    for await (const notice of ctx.app.live.notices.follow(ctx.userId, lastId, signal)) {
      yield tracked(String(notice.id), notice)
    }
  }),
  markRead: implement(contract.notices.markRead, async ({ ctx: { app, userId }, input }) => {
    await markRead(app.platform.db, userId, { ids: input.ids, now: app.platform.clock.now() })
    return { unread: await countUnread(app.platform.db, userId) }
  }),
  settings: implement(contract.notices.settings, async ({ ctx }) => ({
    muted: await findMuted(ctx.app.platform.db, ctx.userId),
  })),
  setSettings: implement(contract.notices.setSettings, async ({ ctx, input }) => {
    await setMuted(ctx.app.platform.db, ctx.userId, input.muted)
    return { muted: input.muted }
  }),
})
