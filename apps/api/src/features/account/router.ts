import { router, signedIn } from '../../trpc.ts'
import { resetAccount } from './reset.ts'
import { resetResult } from './schemas.ts'

export const accountRouter = router({
  reset: signedIn.output(resetResult).mutation(({ ctx }) => resetAccount(ctx.app, ctx.userId)),
})
