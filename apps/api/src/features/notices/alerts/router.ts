import { contract } from '@papermoon/contract'
import { NotFoundError } from '../../../errors.ts'
import { implement, router } from '../../../trpc.ts'
import { createAlert } from './create-alert.ts'
import { deleteAlert, findAlerts } from './store.ts'

export const alertsRouter = router({
  list: implement(contract.alerts.list, ({ ctx }) => findAlerts(ctx.app.platform.db, ctx.userId)),
  create: implement(contract.alerts.create, ({ ctx, input }) => createAlert(ctx.app, ctx.userId, input)),
  remove: implement(contract.alerts.remove, async ({ ctx, input }) => {
    if (!(await deleteAlert(ctx.app.platform.db, ctx.userId, input.id)))
      throw new NotFoundError('There is no such alert.')
    return { ok: true as const }
  }),
})
