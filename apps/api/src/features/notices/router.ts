import { contract } from '@papermoon/contract'
import { NEWS_KINDS } from '@papermoon/contract/notices'
import type { NoticeKind } from '@papermoon/db'
import { tracked } from '@trpc/server'
import { NotFoundError } from '../../errors.ts'
import { implement, router } from '../../trpc.ts'
import { createAlert } from './alerts/create-alert.ts'
import { deleteAlert, findAlerts } from './alerts/store.ts'
import { getPushState, subscribeDevice } from './push/deliver-push.ts'
import { deleteDevice } from './push/store.ts'
import { countUnread, findChoices, findNotices, markRead, type Notice, setChoices } from './read-notices.ts'
import { createWebhook, removeWebhook, rotateSecret } from './webhooks/change-webhooks.ts'
import { findWebhooks, queueTest } from './webhooks/store.ts'
import { toWebhook } from './webhooks/to-webhook.ts'

const OK = { ok: true as const }

export const webhooksRouter = router({
  list: implement(contract.webhooks.list, async ({ ctx }) => {
    const rows = await findWebhooks(ctx.app.platform.db, ctx.userId)
    return await Promise.all(rows.map((row) => toWebhook(ctx.app, row)))
  }),
  create: implement(contract.webhooks.create, ({ ctx, input }) => createWebhook(ctx, ctx.userId, input)),
  test: implement(contract.webhooks.test, async ({ ctx: { app, userId }, input }) => {
    const isQueued = await app.platform.db.transaction().execute((tx) => queueTest(tx, userId, input.id))
    if (!isQueued) throw new NotFoundError('You have no such webhook.')
    return OK
  }),
  rotate: implement(contract.webhooks.rotate, ({ ctx, input }) => rotateSecret(ctx, ctx.userId, input.id)),
  remove: implement(contract.webhooks.remove, async ({ ctx, input }) => {
    await removeWebhook(ctx, ctx.userId, input.id)
    return OK
  }),
})

export const pushRouter = router({
  state: implement(contract.push.state, ({ ctx }) => getPushState(ctx.app, ctx.userId)),
  subscribe: implement(contract.push.subscribe, async ({ ctx, input }) => {
    await subscribeDevice(ctx, ctx.userId, input)
    return OK
  }),
  unsubscribe: implement(contract.push.unsubscribe, async ({ ctx, input }) => {
    await deleteDevice(ctx.app.platform.db, ctx.userId, input.endpoint)
    return OK
  }),
})

export const alertsRouter = router({
  list: implement(contract.alerts.list, ({ ctx }) => findAlerts(ctx.app.platform.db, ctx.userId)),
  create: implement(contract.alerts.create, ({ ctx, input }) => createAlert(ctx.app, ctx.userId, input)),
  remove: implement(contract.alerts.remove, async ({ ctx, input }) => {
    if (!(await deleteAlert(ctx.app.platform.db, ctx.userId, input.id)))
      throw new NotFoundError('There is no such alert.')
    return { ok: true as const }
  }),
})

type NewsKind = (typeof NEWS_KINDS)[number]

type OldKind = Exclude<NoticeKind, NewsKind | 'reminder'>

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
    const { muted: all, ...reminder } = await findChoices(ctx.app.platform.db, ctx.userId)
    const { muted, news: mutedNews } = splitKinds(all)
    return { muted, mutedNews, ...reminder }
  }),
  setSettings: implement(contract.notices.setSettings, async ({ ctx, input }) => {
    const { db } = ctx.app.platform
    const current = await findChoices(db, ctx.userId)
    const { muted, mutedNews = splitKinds(current.muted).news } = input
    const { reminderHour = current.reminderHour, reminderByMail = current.reminderByMail } = input
    await setChoices(db, ctx.userId, { muted: [...muted, ...mutedNews], reminderHour, reminderByMail })
    return { muted, mutedNews, reminderHour, reminderByMail }
  }),
})

const NEWS: ReadonlySet<string> = new Set(NEWS_KINDS)

const isNews = (notice: Notice): notice is Notice & { kind: NewsKind } => NEWS.has(notice.kind)

/** Whether a notice may appear in the `notices` of a response. Notices of newer kinds appear in `news`. */
const isOldKind = (notice: Notice): notice is Notice & { kind: OldKind } => !NEWS.has(notice.kind)

const isUnread = ({ readAt }: Notice) => readAt === null

function splitKinds(kinds: readonly (OldKind | NewsKind)[]): { muted: OldKind[]; news: NewsKind[] } {
  return {
    muted: kinds.filter((kind): kind is OldKind => !NEWS.has(kind)),
    news: kinds.filter((kind): kind is NewsKind => NEWS.has(kind)),
  }
}
