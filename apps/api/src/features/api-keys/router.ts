import { z } from 'zod'
import { router, signedIn } from '../../trpc.ts'
import { createKey } from './create-key.ts'
import { listKeys } from './list-keys.ts'
import { revokeKey } from './revoke-key.ts'
import { apiKey, createdKey, createKeyInput, revoked, revokeKeyInput } from './schemas.ts'

export const keysRouter = router({
  list: signedIn
    .meta({ apiKey: 'never' })
    .output(z.array(apiKey))
    .query(({ ctx }) => listKeys(ctx.app, ctx.userId)),
  create: signedIn
    .input(createKeyInput)
    .output(createdKey)
    .mutation(({ ctx, input }) => createKey(ctx, ctx.userId, input)),
  revoke: signedIn
    .meta({ whenSuspended: 'allowed' })
    .input(revokeKeyInput)
    .output(revoked)
    .mutation(({ ctx, input }) => revokeKey(ctx, ctx.userId, input.id)),
})
