import { anyone, router } from '../../trpc.ts'
import { getLeaderboard } from './get.ts'
import { leaderboard } from './schemas.ts'

export const leaderboardRouter = router({
  get: anyone.meta({ answer: leaderboard }).query(({ ctx }) => getLeaderboard(ctx.app)),
})
