import { z } from 'zod'
import { NotFoundError } from '../../../errors.ts'
import { router, signedIn } from '../../../trpc.ts'
import { createWebhook } from './create-webhook.ts'
import { removeWebhook } from './remove-webhook.ts'
import { rotateSecret } from './rotate-secret.ts'
import { createdWebhook, createWebhookInput, done, rotatedSecret, webhook, webhookInput } from './schemas.ts'
import { findWebhooks, queueTest } from './store.ts'
import { toWebhook } from './to-webhook.ts'

const OK = { ok: true as const }

export const webhooksRouter = router({
  list: signedIn
    .meta({ apiKey: 'never' })
    .output(z.array(webhook))
    .query(async ({ ctx }) => {
      const rows = await findWebhooks(ctx.app.db, ctx.userId)
      return await Promise.all(rows.map((row) => toWebhook(ctx.app, row)))
    }),
  create: signedIn
    .meta({ limit: 'webhook' })
    .input(createWebhookInput)
    .output(createdWebhook)
    .mutation(({ ctx, input }) => createWebhook(ctx, ctx.userId, input)),
  /** Sends a ping, or the challenge again. */
  test: signedIn
    .meta({ limit: 'webhook' })
    .input(webhookInput)
    .output(done)
    .mutation(async ({ ctx: { app, userId }, input }) => {
      const isQueued = await app.db.transaction().execute((tx) => queueTest(tx, userId, input.id))
      if (!isQueued) throw new NotFoundError('You have no such webhook.')
      return OK
    }),
  rotate: signedIn
    .meta({ limit: 'webhook' })
    .input(webhookInput)
    .output(rotatedSecret)
    .mutation(({ ctx, input }) => rotateSecret(ctx, ctx.userId, input.id)),
  remove: signedIn
    .meta({ whenSuspended: 'allowed' })
    .input(webhookInput)
    .output(done)
    .mutation(async ({ ctx, input }) => {
      await removeWebhook(ctx, ctx.userId, input.id)
      return OK
    }),
})
