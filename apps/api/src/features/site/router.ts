import { z } from 'zod'
import { anyone, router } from '../../trpc.ts'

const siteSettings = z.object({ communityUrl: z.string() })

export const siteRouter = router({
  /** Settings of the operator that the web app needs. */
  settings: anyone.output(siteSettings).query(({ ctx }) => ({ communityUrl: ctx.app.config.communityUrl })),
})
