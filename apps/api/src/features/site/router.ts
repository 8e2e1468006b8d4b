import { contract } from '@papermoon/contract'
import { implement, router } from '../../trpc.ts'
import { getParameters } from './parameters.ts'

export const siteRouter = router({
  settings: implement(contract.site.settings, ({ ctx: { app } }) => ({
    communityUrl: app.platform.config.communityUrl,
    isSettingUp: app.market.history.isBeingWritten,
  })),
  parameters: implement(contract.site.parameters, ({ ctx }) => getParameters(ctx, ctx.userId)),
})
