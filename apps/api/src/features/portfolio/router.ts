import { router, signedIn } from '../../trpc.ts'
import { getDashboard } from './dashboard.ts'
import { getPortfolio } from './get.ts'
import { getHistory } from './history/history.ts'
import { readNetWorth } from './history/net-worth-points.ts'
import { dashboard, history, historyInput, netWorth, portfolio, portfolioInput, portfolioSummary } from './schemas.ts'
import { getPortfolioSummary } from './summary.ts'

export const portfolioRouter = router({
  get: signedIn
    .input(portfolioInput)
    .output(portfolio)
    .query(({ ctx, input }) => getPortfolio(ctx.app, ctx.userId, input)),
  summary: signedIn.output(portfolioSummary).query(({ ctx }) => getPortfolioSummary(ctx.app, ctx.userId)),
  netWorth: signedIn.output(netWorth).query(({ ctx }) => readNetWorth(ctx.app, ctx.userId)),
  history: signedIn
    .input(historyInput)
    .output(history)
    .query(({ ctx, input }) => getHistory(ctx, ctx.userId, input)),
  dashboard: signedIn.output(dashboard).query(({ ctx }) => getDashboard(ctx.app, ctx.userId)),
})
