import { router, signedIn } from '../../trpc.ts'
import { listEvents } from './list-events.ts'
import { resetAccount } from './reset.ts'
import { accountEvents, listEventsInput, resetResult } from './schemas.ts'

export const accountRouter = router({
  events: signedIn
    .meta({ apiKey: 'never' })
    .input(listEventsInput)
    .output(accountEvents)
    .query(({ ctx, input }) => listEvents(ctx.app, ctx.userId, input)),
  reset: signedIn.output(resetResult).mutation(({ ctx }) => resetAccount(ctx.app, ctx.userId)),
})
