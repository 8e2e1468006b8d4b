import { anyone, router } from '../../trpc.ts'
import { getBotsLeague } from './bots-league.ts'
import { getLeaderboard } from './get.ts'
import { botsLeague, leaderboard } from './schemas.ts'

export const leaderboardRouter = router({
  bots: anyone.meta({ answer: botsLeague }).query(({ ctx }) => getBotsLeague(ctx.app)),
  get: anyone.meta({ answer: leaderboard }).query(({ ctx }) => getLeaderboard(ctx.app)),
})
