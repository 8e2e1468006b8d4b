import { contract } from '@papermoon/contract'
import { implement, router } from '../../trpc.ts'
import { getDashboard } from './dashboard.ts'
import { getPortfolio } from './get.ts'
import { getHistory } from './history/history.ts'
import { readNetWorth } from './history/net-worth-points.ts'
import { getPortfolioSummary } from './summary.ts'
import { getWelcome } from './welcome.ts'

export const portfolioRouter = router({
  welcome: implement(contract.portfolio.welcome, ({ ctx, input }) => getWelcome(ctx.app, ctx.userId, input)),
  get: implement(contract.portfolio.get, ({ ctx, input }) => getPortfolio(ctx.app, ctx.userId, input)),
  summary: implement(contract.portfolio.summary, ({ ctx }) => getPortfolioSummary(ctx.app, ctx.userId)),
  netWorth: implement(contract.portfolio.netWorth, ({ ctx }) => readNetWorth(ctx.app, ctx.userId)),
  history: implement(contract.portfolio.history, ({ ctx, input }) => getHistory(ctx, ctx.userId, input)),
  dashboard: implement(contract.portfolio.dashboard, ({ ctx }) => getDashboard(ctx.app, ctx.userId)),
})
