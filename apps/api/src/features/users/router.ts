import { anyone, router } from '../../trpc.ts'
import { profileOf } from './profile.ts'
import { byId, profile } from './schemas.ts'

export const usersRouter = router({
  profile: anyone
    .meta({ answer: profile })
    .input(byId)
    .query(({ ctx, input }) => profileOf(ctx.app, input.id)),
})
