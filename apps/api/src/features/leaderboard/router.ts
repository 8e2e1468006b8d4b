import { anyone, router } from '../../trpc.ts'
import { leaderboardOf } from './get.ts'
import { leaderboard } from './schemas.ts'

export const leaderboardRouter = router({
  get: anyone.meta({ answer: leaderboard }).query(({ ctx }) => leaderboardOf(ctx.app)),
})
