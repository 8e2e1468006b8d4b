import { anyone, router, signedIn } from '../../../trpc.ts'
import { getBag } from './bag.ts'
import { getMoment } from './moment.ts'
import { findMomentAt } from './moment-at.ts'
import { getPastChart } from './past-chart.ts'
import {
  bag,
  momentAt,
  momentAtInput,
  momentInput,
  pastChart,
  pastChartInput,
  steps,
  stepsInput,
  tokenMoment,
} from './schemas.ts'
import { countStepReads, getSteps } from './steps.ts'

/** A moment is read from the journal each time: about five times the work of a cached read. */
const MORE_READS = 4

export const pastRouter = router({
  moment: anyone
    .meta({ reads: () => MORE_READS })
    .input(momentInput)
    .output(tokenMoment)
    .query(({ ctx, input }) => getMoment(ctx, input)),
  chart: anyone
    .meta({ reads: () => MORE_READS })
    .input(pastChartInput)
    .output(pastChart)
    .query(({ ctx, input }) => getPastChart(ctx, input)),
  at: anyone
    .input(momentAtInput)
    .output(momentAt)
    .query(({ ctx, input }) => findMomentAt(ctx, input)),
  steps: anyone
    .meta({ reads: countStepReads })
    .input(stepsInput)
    .output(steps)
    .query(({ ctx, input }) => getSteps(ctx, input)),
  bag: signedIn
    .meta({ reads: () => MORE_READS, apiKey: 'market' })
    .input(momentInput)
    .output(bag)
    .query(({ ctx, input }) => getBag(ctx, ctx.userId, input)),
})
