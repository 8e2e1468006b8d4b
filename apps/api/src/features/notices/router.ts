import { contract } from '@papermoon/contract'
import { NEWS_KINDS } from '@papermoon/contract/notices'
import type { NoticeKind } from '@papermoon/db'
import { tracked } from '@trpc/server'
import { implement, router } from '../../trpc.ts'
import { findNotices, type Notice } from './read-notices.ts'
import { countUnread, findMuted, markRead, setMuted } from './store.ts'

type NewsKind = (typeof NEWS_KINDS)[number]
type OldKind = Exclude<NoticeKind, NewsKind>

export const noticesRouter = router({
  list: implement(contract.notices.list, async ({ ctx: { app, userId } }) => {
    const all = await findNotices(app.platform.db, userId)
    const [notices, news] = [all.filter(isOldKind), all.filter(isNews)]
    return { notices, unread: notices.filter(isUnread).length, news, unreadNews: news.filter(isUnread).length }
  }),
  live: implement(contract.notices.live, async function* ({ ctx, input, signal }) {
    const lastId = input.lastEventId == null ? null : Number(input.lastEventId)
    for await (const notice of ctx.app.live.notices.follow(ctx.userId, lastId, signal)) {
      if (isOldKind(notice) || (input.news === true && isNews(notice))) yield tracked(String(notice.id), notice)
    }
  }),
  markRead: implement(contract.notices.markRead, async ({ ctx: { app, userId }, input }) => {
    await markRead(app.platform.db, userId, { ids: input.ids, now: app.platform.clock.now() })
    return { unread: await countUnread(app.platform.db, userId) }
  }),
  settings: implement(contract.notices.settings, async ({ ctx }) => {
    const { muted, news } = splitKinds(await findMuted(ctx.app.platform.db, ctx.userId))
    return { muted, mutedNews: news }
  }),
  setSettings: implement(contract.notices.setSettings, async ({ ctx, input }) => {
    const { muted, mutedNews = splitKinds(await findMuted(ctx.app.platform.db, ctx.userId)).news } = input
    await setMuted(ctx.app.platform.db, ctx.userId, [...muted, ...mutedNews])
    return { muted, mutedNews }
  }),
})

const NEWS: ReadonlySet<string> = new Set(NEWS_KINDS)

const isNews = (notice: Notice): notice is Notice & { kind: NewsKind } => NEWS.has(notice.kind)

/** Whether a notice may appear in a response's `notices`. Newer kinds are in `news`. */
const isOldKind = (notice: Notice): notice is Notice & { kind: OldKind } => !NEWS.has(notice.kind)

const isUnread = ({ readAt }: Notice) => readAt === null

function splitKinds(kinds: readonly NoticeKind[]): { muted: OldKind[]; news: NewsKind[] } {
  return {
    muted: kinds.filter((kind): kind is OldKind => !NEWS.has(kind)),
    news: kinds.filter((kind): kind is NewsKind => NEWS.has(kind)),
  }
}
