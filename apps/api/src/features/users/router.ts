import { anyone, router } from '../../trpc.ts'
import { getClosedWin } from './closed-win.ts'
import { getLaunchRecord } from './launch-record.ts'
import { getProfile } from './profile.ts'
import { getResults } from './results.ts'
import {
  byId,
  closedWinInput,
  closedWinResult,
  launchRecord,
  playerTrades,
  playerTradesInput,
  profile,
  results,
} from './schemas.ts'
import { getPlayerTrades } from './trades.ts'

/** Sums all trades of a position. */
const MORE_READS = 9

export const usersRouter = router({
  profile: anyone
    .meta({ answer: profile })
    .input(byId)
    .query(({ ctx, input }) => getProfile(ctx.app, input.id)),
  results: anyone
    .meta({ answer: results })
    .input(byId)
    .query(({ ctx, input }) => getResults(ctx.app, input.id)),
  trades: anyone
    .meta({ answer: playerTrades })
    .input(playerTradesInput)
    .query(({ ctx, input }) => getPlayerTrades(ctx.app, input)),
  launchRecord: anyone
    .meta({ answer: launchRecord })
    .input(byId)
    .query(({ ctx, input }) => getLaunchRecord(ctx.app, input.id)),
  closedWin: anyone
    .meta({ reads: () => MORE_READS })
    .input(closedWinInput)
    .output(closedWinResult)
    .query(({ ctx, input }) => getClosedWin(ctx.app, input)),
})
