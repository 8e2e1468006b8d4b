import { contract } from '@papermoon/contract'
import { implement, router } from '../../trpc.ts'
import { searchEverything } from './search-everything.ts'

export const searchRouter = router({
  everything: implement(contract.search.everything, ({ ctx, input }) => searchEverything(ctx.app, input)),
})
