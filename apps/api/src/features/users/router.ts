import { anyone, router } from '../../trpc.ts'
import { profileOf } from './profile.ts'
import { byId, profile } from './schemas.ts'

export const usersRouter = router({
  profile: anyone
    .input(byId)
    .output(profile)
    .query(({ ctx, input }) => profileOf(ctx.app, input.id)),
})
