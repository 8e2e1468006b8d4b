import { anyone, router } from '../../trpc.ts'
import { countChainReads, getChain, getCheckpoints } from './chain.ts'
import { countHeadReads, headsAt, latestHeads } from './heads.ts'
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
import { getSummary } from './summary.ts'

export const proofRouter = router({
  summary: anyone.meta({ answer: auditSummary }).query(({ ctx }) => getSummary(ctx.app)),
  chain: anyone
    .meta({ reads: countChainReads })
    .input(chainInput)
    .output(chainPage)
    .query(({ ctx, input }) => getChain(ctx, input)),
  checkpoints: anyone
    .input(checkpointsInput)
    .output(checkpoints)
    .query(({ ctx, input }) => getCheckpoints(ctx, input.id)),
  heads: anyone
    .meta({ reads: countHeadReads })
    .input(headsInput)
    .output(heads)
    .query(({ ctx, input }) => latestHeads(ctx.app, input)),
  headsAt: anyone
    .meta({ reads: countHeadReads })
    .input(headsAtInput)
    .output(heads)
    .query(({ ctx, input }) => headsAt(ctx.app, new Date(input.hour), input)),
})
