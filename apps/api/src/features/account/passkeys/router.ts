import { contract } from '@papermoon/contract'
import { implement, router } from '../../../trpc.ts'
import { addPasskey } from './add.ts'
import { beginAddPasskey } from './begin-add.ts'
import { listPasskeys } from './list.ts'
import { removePasskey } from './remove.ts'

export const passkeysRouter = router({
  list: implement(contract.passkeys.list, ({ ctx }) => listPasskeys(ctx, ctx.userId)),
  beginAdd: implement(contract.passkeys.beginAdd, ({ ctx }) => beginAddPasskey(ctx, ctx.userId)),
  add: implement(contract.passkeys.add, ({ ctx, input }) => addPasskey(ctx, ctx.userId, input)),
  remove: implement(contract.passkeys.remove, ({ ctx, input }) => removePasskey(ctx, ctx.userId, input.id)),
})
