import { router, signedIn } from '../../trpc.ts'
import { getDashboard } from './dashboard.ts'
import { getPortfolio } from './get.ts'
import { getHistory } from './history/history.ts'
import { readNetWorth } from './history/net-worth-points.ts'
import { dashboard, history, historyInput, netWorth, portfolio, portfolioInput, portfolioSummary } from './schemas.ts'
import { getPortfolioSummary } from './summary.ts'

/** A player's positions, which a key with `market` may read: they name neither e-mail nor wallet. */
const owner = signedIn.meta({ apiKey: 'market' })

export const portfolioRouter = router({
  get: owner
    .input(portfolioInput)
    .output(portfolio)
    .query(({ ctx, input }) => getPortfolio(ctx.app, ctx.userId, input)),
  summary: owner.output(portfolioSummary).query(({ ctx }) => getPortfolioSummary(ctx.app, ctx.userId)),
  netWorth: owner.output(netWorth).query(({ ctx }) => readNetWorth(ctx.app, ctx.userId)),
  history: owner
    .input(historyInput)
    .output(history)
    .query(({ ctx, input }) => getHistory(ctx, ctx.userId, input)),
  dashboard: owner.output(dashboard).query(({ ctx }) => getDashboard(ctx.app, ctx.userId)),
})
