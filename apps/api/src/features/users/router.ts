import { anyone, router } from '../../trpc.ts'
import { getLaunchRecord } from './launch-record.ts'
import { getProfile } from './profile.ts'
import { byId, launchRecord, profile } from './schemas.ts'

export const usersRouter = router({
  profile: anyone
    .meta({ answer: profile })
    .input(byId)
    .query(({ ctx, input }) => getProfile(ctx.app, input.id)),
  launchRecord: anyone
    .meta({ answer: launchRecord })
    .input(byId)
    .query(({ ctx, input }) => getLaunchRecord(ctx.app, input.id)),
})
