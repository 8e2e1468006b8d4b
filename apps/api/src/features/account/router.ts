import { router, signedIn } from '../../trpc.ts'
import { declareBot } from './bots/declare-bot.ts'
import { askDeletion } from './deletion/ask-deletion.ts'
import { undoDeletion } from './deletion/undo-deletion.ts'
import { prepareExport } from './export/prepare-export.ts'
import { listEvents } from './list-events.ts'
import { resetAccount } from './reset.ts'
import {
  accountEvents,
  botDeclared,
  declareBotInput,
  deletionAsked,
  deletionUndone,
  exportReady,
  listEventsInput,
  resetResult,
} from './schemas.ts'

export const accountRouter = router({
  events: signedIn
    .meta({ apiKey: 'never' })
    .input(listEventsInput)
    .output(accountEvents)
    .query(({ ctx, input }) => listEvents(ctx.app, ctx.userId, input)),
  declareBot: signedIn
    .meta({ limit: 'declare-bot' })
    .input(declareBotInput)
    .output(botDeclared)
    .mutation(({ ctx, input }) => declareBot(ctx, ctx.userId, input)),
  prepareExport: signedIn
    .meta({ whenSuspended: 'allowed' })
    .output(exportReady)
    .mutation(({ ctx }) => prepareExport(ctx, ctx.userId)),
  askDeletion: signedIn
    .meta({ whenSuspended: 'allowed' })
    .output(deletionAsked)
    .mutation(({ ctx }) => askDeletion(ctx, ctx.userId)),
  undoDeletion: signedIn
    .meta({ whenSuspended: 'allowed' })
    .output(deletionUndone)
    .mutation(({ ctx }) => undoDeletion(ctx, ctx.userId)),
  reset: signedIn
    .meta({ apiKey: 'reset' })
    .output(resetResult)
    .mutation(({ ctx }) => resetAccount(ctx.app, ctx.userId)),
})
