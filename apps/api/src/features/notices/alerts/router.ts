import { z } from 'zod'
import { NotFoundError } from '../../../errors.ts'
import { router, signedIn } from '../../../trpc.ts'
import { createAlert } from './create-alert.ts'
import { alert, createAlertInput, removeAlertInput, removed } from './schemas.ts'
import { deleteAlert, findAlerts } from './store.ts'

export const alertsRouter = router({
  list: signedIn.output(z.array(alert)).query(({ ctx }) => findAlerts(ctx.app.db, ctx.userId)),
  create: signedIn
    .input(createAlertInput)
    .output(alert)
    .mutation(({ ctx, input }) => createAlert(ctx.app, ctx.userId, input)),
  remove: signedIn
    .meta({ whenSuspended: 'allowed' })
    .input(removeAlertInput)
    .output(removed)
    .mutation(async ({ ctx, input }) => {
      if (!(await deleteAlert(ctx.app.db, ctx.userId, input.id))) throw new NotFoundError('There is no such alert.')
      return { ok: true as const }
    }),
})
