import { attestationOptions } from '../../security/passkeys/schemas.ts'
import { router, signedIn } from '../../trpc.ts'
import { addPasskey } from './add.ts'
import { beginAddPasskey } from './begin-add.ts'
import { listPasskeys } from './list.ts'
import { removePasskey } from './remove.ts'
import { addPasskeyInput, passkey, passkeyList, removed, removePasskeyInput } from './schemas.ts'

export const passkeysRouter = router({
  list: signedIn
    .meta({ apiKey: 'never' })
    .output(passkeyList)
    .query(({ ctx }) => listPasskeys(ctx, ctx.userId)),
  beginAdd: signedIn
    .meta({ limit: 'second-factor', whenSuspended: 'allowed' })
    .output(attestationOptions)
    .mutation(({ ctx }) => beginAddPasskey(ctx, ctx.userId)),
  add: signedIn
    .meta({ limit: 'second-factor', whenSuspended: 'allowed' })
    .input(addPasskeyInput)
    .output(passkey)
    .mutation(({ ctx, input }) => addPasskey(ctx, ctx.userId, input)),
  remove: signedIn
    .meta({ limit: 'second-factor', whenSuspended: 'allowed' })
    .input(removePasskeyInput)
    .output(removed)
    .mutation(({ ctx, input }) => removePasskey(ctx, ctx.userId, input.id)),
})
