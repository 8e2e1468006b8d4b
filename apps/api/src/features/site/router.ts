import { contract } from '@papermoon/contract'
import { tracked } from '@trpc/server'
import { implement, router } from '../../trpc.ts'
import { getInForce } from '../moderation/public.ts'
import { getParameters } from './parameters.ts'

export const siteRouter = router({
  settings: implement(contract.site.settings, ({ ctx: { app } }) => ({
    communityUrl: app.platform.config.communityUrl,
    isSettingUp: app.market.history.isBeingWritten,
    announcement: getInForce(app.platform).announcement,
  })),
  announcement: implement(contract.site.announcement, async function* ({ ctx: { app }, input, signal }) {
    const seen = input.lastEventId == null ? undefined : Number(input.lastEventId)
    for await (const announcement of getInForce(app.platform).followAnnouncement(seen, signal))
      yield tracked(String(announcement?.id ?? 0), { announcement })
  }),
  parameters: implement(contract.site.parameters, ({ ctx }) => getParameters(ctx, ctx.userId)),
})
