import { contract } from '@papermoon/contract'
import { implement, router } from '../../trpc.ts'
import { appeal, listActs, listReports, report } from './report.ts'

const { reports } = contract

export const reportsRouter = router({
  report: implement(reports.report, ({ ctx, input }) => report(ctx.app, ctx.userId, input)),
  mine: implement(reports.mine, ({ ctx }) => listReports(ctx.app, ctx.userId)),
  acts: implement(reports.acts, ({ ctx }) => listActs(ctx.app, ctx.userId)),
  appeal: implement(reports.appeal, ({ ctx, input }) => appeal(ctx.app, ctx.userId, input)),
})
