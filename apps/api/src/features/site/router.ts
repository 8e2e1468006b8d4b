import { anyone, guestOrPlayer, router } from '../../trpc.ts'
import { getParameters } from './parameters.ts'
import { parameters, siteSettings } from './schemas.ts'

export const siteRouter = router({
  /** Settings of the operator that the web app needs. */
  settings: anyone.output(siteSettings).query(({ ctx: { app } }) => ({
    communityUrl: app.config.communityUrl,
    isSettingUp: app.history.isBeingWritten,
  })),
  parameters: guestOrPlayer
    .meta({ apiKey: 'any' })
    .output(parameters)
    .query(({ ctx }) => getParameters(ctx, ctx.userId)),
})
