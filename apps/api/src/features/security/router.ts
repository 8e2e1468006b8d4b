import { router, signedIn } from '../../trpc.ts'
import { confirm } from './confirm.ts'
import { confirmed, confirmInput } from './schemas.ts'

export const securityRouter = router({
  confirm: signedIn
    .meta({ alone: true })
    .input(confirmInput)
    .output(confirmed)
    .mutation(({ ctx, input }) => confirm(ctx, ctx.userId, input)),
})
