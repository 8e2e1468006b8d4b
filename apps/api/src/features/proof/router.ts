import { contract } from '@papermoon/contract'
import { getPageStart } from '@papermoon/contract/shapes'
import { implement, router } from '../../trpc.ts'
import { getChain, getCheckpoints, getSeals } from './chain.ts'
import { headsAt, latestHeads } from './heads.ts'
import { getSummary } from './summary.ts'

export const proofRouter = router({
  summary: implement(contract.proof.summary, ({ ctx }) => getSummary(ctx.app)),
  chain: implement(contract.proof.chain, ({ ctx, input }) => getChain(ctx, { ...input, after: getPageStart(input) })),
  checkpoints: implement(contract.proof.checkpoints, ({ ctx, input }) => getCheckpoints(ctx, input.id)),
  seals: implement(contract.proof.seals, ({ ctx, input }) => getSeals(ctx, input.id, getPageStart(input))),
  heads: implement(contract.proof.heads, ({ ctx, input }) =>
    latestHeads(ctx.app, { ...input, after: getPageStart(input) }),
  ),
  headsAt: implement(contract.proof.headsAt, ({ ctx, input }) =>
    headsAt(ctx.app, new Date(input.hour), { ...input, after: getPageStart(input) }),
  ),
})
