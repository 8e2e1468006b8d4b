import { router, signedIn } from '../../trpc.ts'
import { dashboardOf } from './dashboard.ts'
import { portfolioOf } from './get.ts'
import { dashboard, portfolio, portfolioInput, portfolioSummary } from './schemas.ts'
import { portfolioSummaryOf } from './summary.ts'

export const portfolioRouter = router({
  get: signedIn
    .input(portfolioInput)
    .output(portfolio)
    .query(({ ctx, input }) => portfolioOf(ctx.app, ctx.userId, input)),
  summary: signedIn.output(portfolioSummary).query(({ ctx }) => portfolioSummaryOf(ctx.app, ctx.userId)),
  dashboard: signedIn.output(dashboard).query(({ ctx }) => dashboardOf(ctx.app, ctx.userId)),
})
