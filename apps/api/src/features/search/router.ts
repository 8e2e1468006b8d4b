import { anyone, router } from '../../trpc.ts'
import { searchInput, searchResult } from './schemas.ts'
import { searchEverything } from './search-everything.ts'

/** A search costs up to 20 ms of a core; a page of 500 tokens, about the same, costs as many reads. */
const MORE_READS = 9

export const searchRouter = router({
  everything: anyone
    .meta({ reads: () => MORE_READS })
    .input(searchInput)
    .output(searchResult)
    .query(({ ctx, input }) => searchEverything(ctx.app, input)),
})
