import { anyone, router } from '../../trpc.ts'
import { getProfile } from './profile.ts'
import { byId, profile } from './schemas.ts'

export const usersRouter = router({
  profile: anyone
    .meta({ answer: profile })
    .input(byId)
    .query(({ ctx, input }) => getProfile(ctx.app, input.id)),
})
