import { contract } from '@papermoon/contract'
import { implement, router } from '../../trpc.ts'
import { declareBot } from './declare-bot.ts'
import { askDeletion } from './deletion/ask-deletion.ts'
import { undoDeletion } from './deletion/undo-deletion.ts'
import { listEvents } from './records/list-events.ts'
import { prepareExport } from './records/prepare-export.ts'
import { resetAccount } from './reset.ts'

export const accountRouter = router({
  events: implement(contract.account.events, ({ ctx, input }) => listEvents(ctx.app, ctx.userId, input)),
  declareBot: implement(contract.account.declareBot, ({ ctx, input }) => declareBot(ctx, ctx.userId, input)),
  prepareExport: implement(contract.account.prepareExport, ({ ctx }) => prepareExport(ctx, ctx.userId)),
  askDeletion: implement(contract.account.askDeletion, ({ ctx }) => askDeletion(ctx, ctx.userId)),
  undoDeletion: implement(contract.account.undoDeletion, ({ ctx }) => undoDeletion(ctx, ctx.userId)),
  reset: implement(contract.account.reset, ({ ctx }) => resetAccount(ctx.app, ctx.userId)),
})
