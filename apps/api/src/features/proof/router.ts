import { anyone, router } from '../../trpc.ts'
import { chainOf, chainReadsOf, checkpointsOf } from './chain.ts'
import { headReadsOf, headsAt, latestHeads } from './heads.ts'
import {
  auditSummary,
  chainInput,
  chainPage,
  checkpoints,
  checkpointsInput,
  heads,
  headsAtInput,
  headsInput,
} from './schemas.ts'
import { summaryOf } from './summary.ts'

export const proofRouter = router({
  summary: anyone.meta({ answer: auditSummary }).query(({ ctx }) => summaryOf(ctx.app)),
  chain: anyone
    .meta({ reads: chainReadsOf })
    .input(chainInput)
    .output(chainPage)
    .query(({ ctx, input }) => chainOf(ctx.app, input)),
  checkpoints: anyone
    .input(checkpointsInput)
    .output(checkpoints)
    .query(({ ctx, input }) => checkpointsOf(ctx.app, input.id)),
  heads: anyone
    .meta({ reads: headReadsOf })
    .input(headsInput)
    .output(heads)
    .query(({ ctx, input }) => latestHeads(ctx.app, input)),
  headsAt: anyone
    .meta({ reads: headReadsOf })
    .input(headsAtInput)
    .output(heads)
    .query(({ ctx, input }) => headsAt(ctx.app, new Date(input.hour), input)),
})
