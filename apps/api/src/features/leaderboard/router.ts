import { anyone, router } from '../../trpc.ts'
import { getAllTimeBoard, getCreatorsBoard, getRugBoard } from './boards/get-boards.ts'
import { getBotsLeague } from './bots-league.ts'
import { getLeaderboard } from './get.ts'
import { getRank } from './rank.ts'
import {
  allTimeBoard,
  botsLeague,
  creatorsBoard,
  leaderboard,
  leaderboardRank,
  rankInput,
  rugBoard,
} from './schemas.ts'

export const leaderboardRouter = router({
  bots: anyone.meta({ answer: botsLeague }).query(({ ctx }) => getBotsLeague(ctx.app)),
  allTime: anyone.meta({ answer: allTimeBoard }).query(({ ctx }) => getAllTimeBoard(ctx.app)),
  creators: anyone.meta({ answer: creatorsBoard }).query(({ ctx }) => getCreatorsBoard(ctx.app)),
  rugs: anyone.meta({ answer: rugBoard }).query(({ ctx }) => getRugBoard(ctx.app)),
  rank: anyone
    .meta({ answer: leaderboardRank })
    .input(rankInput)
    .query(({ ctx, input }) => getRank(ctx.app, input.userId)),
  get: anyone.meta({ answer: leaderboard }).query(({ ctx }) => getLeaderboard(ctx.app)),
})
