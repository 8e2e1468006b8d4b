import { contract } from '@papermoon/contract'
import { NotFoundError } from '../../../errors.ts'
import { implement, router } from '../../../trpc.ts'
import { createWebhook } from './create-webhook.ts'
import { removeWebhook } from './remove-webhook.ts'
import { rotateSecret } from './rotate-secret.ts'
import { findWebhooks, queueTest } from './store.ts'
import { toWebhook } from './to-webhook.ts'

const OK = { ok: true as const }

export const webhooksRouter = router({
  list: implement(contract.webhooks.list, async ({ ctx }) => {
    const rows = await findWebhooks(ctx.app.platform.db, ctx.userId)
    return await Promise.all(rows.map((row) => toWebhook(ctx.app, row)))
  }),
  create: implement(contract.webhooks.create, ({ ctx, input }) => createWebhook(ctx, ctx.userId, input)),
  test: implement(contract.webhooks.test, async ({ ctx: { app, userId }, input }) => {
    const isQueued = await app.platform.db.transaction().execute((tx) => queueTest(tx, userId, input.id))
    if (!isQueued) throw new NotFoundError('You have no such webhook.')
    return OK
  }),
  rotate: implement(contract.webhooks.rotate, ({ ctx, input }) => rotateSecret(ctx, ctx.userId, input.id)),
  remove: implement(contract.webhooks.remove, async ({ ctx, input }) => {
    await removeWebhook(ctx, ctx.userId, input.id)
    return OK
  }),
})
