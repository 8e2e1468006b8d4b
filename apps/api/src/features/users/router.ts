import { contract } from '@papermoon/contract'
import { implement, router } from '../../trpc.ts'
import { getClosedPosition, getClosedWin } from './closed-win.ts'
import { getHouseBot } from './house-bot.ts'
import { getLaunchRecord } from './launch-record.ts'
import { getProfile } from './profile.ts'
import { getResults } from './results.ts'
import { getPlayerTrades } from './trades.ts'

export const usersRouter = router({
  profile: implement(contract.users.profile, ({ ctx, input }) => getProfile(ctx.app, input.id)),
  results: implement(contract.users.results, ({ ctx, input }) => getResults(ctx.app, input.id)),
  trades: implement(contract.users.trades, ({ ctx, input }) => getPlayerTrades(ctx.app, input)),
  launchRecord: implement(contract.users.launchRecord, ({ ctx, input }) => getLaunchRecord(ctx.app, input.id)),
  closedWin: implement(contract.users.closedWin, ({ ctx, input }) => getClosedWin(ctx.app, input)),
  houseBot: implement(contract.users.houseBot, ({ ctx, input }) => getHouseBot(ctx.app, input.id)),
  closedPosition: implement(contract.users.closedPosition, ({ ctx, input }) => getClosedPosition(ctx.app, input)),
})
