import { router, signedIn } from '../../trpc.ts'
import { dashboardOf } from './dashboard.ts'
import { portfolioOf } from './get.ts'
import { historyOf } from './history/history.ts'
import { readNetWorth } from './history/net-worth-points.ts'
import { dashboard, history, historyInput, netWorth, portfolio, portfolioInput, portfolioSummary } from './schemas.ts'
import { portfolioSummaryOf } from './summary.ts'

export const portfolioRouter = router({
  get: signedIn
    .input(portfolioInput)
    .output(portfolio)
    .query(({ ctx, input }) => portfolioOf(ctx.app, ctx.userId, input)),
  summary: signedIn.output(portfolioSummary).query(({ ctx }) => portfolioSummaryOf(ctx.app, ctx.userId)),
  netWorth: signedIn.output(netWorth).query(({ ctx }) => readNetWorth(ctx.app, ctx.userId)),
  history: signedIn
    .input(historyInput)
    .output(history)
    .query(({ ctx, input }) => historyOf(ctx.app, ctx.userId, input)),
  dashboard: signedIn.output(dashboard).query(({ ctx }) => dashboardOf(ctx.app, ctx.userId)),
})
