import { contract } from '@papermoon/contract'
import { implement, router } from '../../trpc.ts'
import { getAllTimeBoard, getCreatorsBoard, getRugBoard } from './boards/get-boards.ts'
import { getBotsLeague } from './bots-league.ts'
import { getLeaderboard } from './get.ts'
import { getRank } from './rank.ts'

export const leaderboardRouter = router({
  bots: implement(contract.leaderboard.bots, ({ ctx }) => getBotsLeague(ctx.app)),
  allTime: implement(contract.leaderboard.allTime, ({ ctx }) => getAllTimeBoard(ctx.app)),
  creators: implement(contract.leaderboard.creators, ({ ctx }) => getCreatorsBoard(ctx.app)),
  rugs: implement(contract.leaderboard.rugs, ({ ctx }) => getRugBoard(ctx.app)),
  rank: implement(contract.leaderboard.rank, ({ ctx, input }) => getRank(ctx.app, input.userId)),
  get: implement(contract.leaderboard.get, ({ ctx }) => getLeaderboard(ctx.app)),
})
