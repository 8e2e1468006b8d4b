import { assertionOptions } from '../../security/passkey-schemas.ts'
import { router, signedIn } from '../../trpc.ts'
import { beginPasskeyConfirm } from './begin-passkey-confirm.ts'
import { confirm } from './confirm.ts'
import { confirmed, confirmInput } from './schemas.ts'

export const securityRouter = router({
  beginPasskeyConfirm: signedIn
    .meta({ limit: 'second-factor', whenSuspended: 'allowed' })
    .output(assertionOptions)
    .mutation(({ ctx }) => beginPasskeyConfirm(ctx, ctx.userId)),
  confirm: signedIn
    .meta({ alone: true, whenSuspended: 'allowed' })
    .input(confirmInput)
    .output(confirmed)
    .mutation(({ ctx, input }) => confirm(ctx, ctx.userId, input)),
})
