import { z } from 'zod'
import { anyone, router } from '../../trpc.ts'

const siteSettings = z.object({ communityUrl: z.string() })

export const siteRouter = router({
  /** What the operator set that the browser needs to know. */
  settings: anyone.output(siteSettings).query(({ ctx }) => ({ communityUrl: ctx.app.config.communityUrl })),
})
