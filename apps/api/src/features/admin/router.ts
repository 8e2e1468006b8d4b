import { contract } from '@papermoon/contract'
import { sql } from 'kysely'
import { implement, router } from '../../trpc.ts'
import { countOpen, listCases } from './cases.ts'
import { decide, undo } from './decide.ts'
import { answerAppeal, findPlayers, listAppeals, listWords, readLog, setRole, setWord } from './records.ts'

const { admin } = contract

/** Who may call these is in the entries (`role`) and checked for all of them in one place. */
export const adminRouter = router({
  me: implement(admin.me, async ({ ctx: { app, userId } }) => {
    const { rows } = await sql<{ role: 'moderator' | 'operator' }>`
      select role from users where id = ${userId}`.execute(app.platform.db)
    return { role: rows[0]?.role ?? 'moderator', open: await countOpen(app) }
  }),
  cases: implement(admin.cases, ({ ctx }) => listCases(ctx.app)),
  decide: implement(admin.decide, ({ ctx, input }) => decide(ctx.app, ctx.userId, input)),
  undo: implement(admin.undo, ({ ctx, input }) => undo(ctx.app, ctx.userId, input)),
  appeals: implement(admin.appeals, ({ ctx }) => listAppeals(ctx.app, ctx.userId)),
  answerAppeal: implement(admin.answerAppeal, ({ ctx, input }) => answerAppeal(ctx.app, ctx.userId, input)),
  findPlayers: implement(admin.findPlayers, ({ ctx, input }) => findPlayers(ctx.app, input.search)),
  log: implement(admin.log, ({ ctx, input }) => readLog(ctx.app, input)),
  words: implement(admin.words, ({ ctx }) => listWords(ctx.app)),
  setWord: implement(admin.setWord, ({ ctx, input }) => setWord(ctx.app, ctx.userId, input)),
  setRole: implement(admin.setRole, ({ ctx, input }) => setRole(ctx.app, ctx.userId, input)),
})
