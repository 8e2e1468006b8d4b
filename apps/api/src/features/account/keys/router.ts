import { contract } from '@papermoon/contract'
import { implement, router } from '../../../trpc.ts'
import { createKey } from './create-key.ts'
import { listKeys } from './list-keys.ts'
import { revokeKey } from './revoke-key.ts'

export const keysRouter = router({
  list: implement(contract.keys.list, ({ ctx }) => listKeys(ctx.app, ctx.userId)),
  create: implement(contract.keys.create, ({ ctx, input }) => createKey(ctx, ctx.userId, input)),
  revoke: implement(contract.keys.revoke, ({ ctx, input }) => revokeKey(ctx, ctx.userId, input.id)),
})
