import { contract } from '@papermoon/contract'
import { implement, router } from '../../trpc.ts'
import { getParameters } from './parameters.ts'

export const siteRouter = router({
  settings: implement(contract.site.settings, ({ ctx: { app } }) => ({
    communityUrl: app.config.communityUrl,
    isSettingUp: app.history.isBeingWritten,
  })),
  parameters: implement(contract.site.parameters, ({ ctx }) => getParameters(ctx, ctx.userId)),
})
