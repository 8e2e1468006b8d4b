import { contract } from '@papermoon/contract'
import { implement, router } from '../../../trpc.ts'
import { getBag } from './bag.ts'
import { getMoment } from './moment.ts'
import { findMomentAt } from './moment-at.ts'
import { getPastChart } from './past-chart.ts'
import { getSteps } from './steps.ts'

export const pastRouter = router({
  moment: implement(contract.past.moment, ({ ctx, input }) => getMoment(ctx, input)),
  chart: implement(contract.past.chart, ({ ctx, input }) => getPastChart(ctx, input)),
  at: implement(contract.past.at, ({ ctx, input }) => findMomentAt(ctx, input)),
  steps: implement(contract.past.steps, ({ ctx, input }) => getSteps(ctx, input)),
  bag: implement(contract.past.bag, ({ ctx, input }) => getBag(ctx, ctx.userId, input)),
})
