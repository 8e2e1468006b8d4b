import { z } from 'zod'
import { anyone, router } from '../../trpc.ts'

const siteSettings = z
  .object({
    communityUrl: z.string(),
    isSettingUp: z.boolean().describe('Whether the history of a demo world is being written, for some seconds.'),
  })
  .meta({ id: 'SiteSettings' })

export const siteRouter = router({
  /** Settings of the operator that the web app needs. */
  settings: anyone.output(siteSettings).query(({ ctx: { app } }) => ({
    communityUrl: app.config.communityUrl,
    isSettingUp: app.history.isBeingWritten,
  })),
})
