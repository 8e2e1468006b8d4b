import { anyone, router, signedIn } from '../../trpc.ts'
import { chartOf } from './chart.ts'
import { getToken } from './get.ts'
import { topHolders } from './holders.ts'
import { launch } from './launch.ts'
import { listTokens, readsOf } from './list.ts'
import {
  byId,
  chart,
  chartInput,
  holders,
  launchInput,
  launchResult,
  listInput,
  token,
  tokenPage,
  trades,
} from './schemas.ts'
import { latestTrades } from './trades.ts'

export const tokensRouter = router({
  list: anyone
    .input(listInput)
    .use(async ({ ctx, input, next }) => {
      await ctx.app.limits.spend(ctx, 'read', readsOf(input))
      return next()
    })
    .output(tokenPage)
    .query(({ ctx, input }) => listTokens(ctx.app, input)),
  get: anyone
    .input(byId)
    .output(token)
    .query(({ ctx, input }) => getToken(ctx.app, input.id)),
  trades: anyone
    .input(byId)
    .output(trades)
    .query(({ ctx, input }) => latestTrades(ctx.app, input.id)),
  holders: anyone
    .input(byId)
    .output(holders)
    .query(({ ctx, input }) => topHolders(ctx.app, input.id)),
  chart: anyone
    .input(chartInput)
    .output(chart)
    .query(({ ctx, input }) => chartOf(ctx.app, input)),
  launch: signedIn
    .meta({ limit: 'launch', apiKey: 'trade' })
    .input(launchInput)
    .output(launchResult)
    .mutation(({ ctx, input }) => launch(ctx.app, ctx.userId, input)),
})
