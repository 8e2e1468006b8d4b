import { contract } from '@papermoon/contract'
import type { Line } from '@papermoon/contract/admin'
import { sql } from 'kysely'
import { showSettings } from '../../config.ts'
import { implement, router } from '../../trpc.ts'
import { actOnPlayer, look } from './act.ts'
import { countOpen, listCases } from './cases.ts'
import { decide, undo } from './decide.ts'
import { readHealth } from './health.ts'
import { findTokens, hideByModerator } from './hide-token.ts'
import { announce, listBounds, setBound } from './in-force.ts'
import {
  answerAppeal,
  findPlayers,
  listAppeals,
  listWords,
  readLog,
  readPlayerLog,
  setRole,
  setWord,
} from './records.ts'
import { appeal, listActs, listReports, report } from './report.ts'

const { admin, reports } = contract

/** The contract says which `role` each procedure requires. One function checks this role for all procedures. */
export const adminParts = {
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
  playerLog: implement(admin.playerLog, ({ ctx, input }) => readPlayerLog(ctx.app, ctx.userId, input.userId)),
  act: implement(admin.act, ({ ctx, input }) => actOnPlayer(ctx.app, ctx.userId, input)),
  look: implement(admin.look, ({ ctx, input }) => look(ctx.app, ctx.userId, input)),
  findTokens: implement(admin.findTokens, ({ ctx, input }) => findTokens(ctx.app, input.search)),
  hideToken: implement(admin.hideToken, ({ ctx, input }) => hideByModerator(ctx.app, ctx.userId, input)),
  settings: implement(admin.settings, listSettings),
  bounds: implement(admin.bounds, ({ ctx }) => listBounds(ctx.app)),
  setBound: implement(admin.setBound, ({ ctx, input }) => setBound(ctx.app, ctx.userId, input)),
  announce: implement(admin.announce, ({ ctx, input }) => announce(ctx.app, ctx.userId, input)),
  health: implement(admin.health, ({ ctx }) => readHealth(ctx.app)),
}

export const reportsRouter = router({
  report: implement(reports.report, ({ ctx, input }) => report(ctx.app, ctx.userId, input)),
  mine: implement(reports.mine, ({ ctx }) => listReports(ctx.app, ctx.userId)),
  acts: implement(reports.acts, ({ ctx }) => listActs(ctx.app, ctx.userId)),
  appeal: implement(reports.appeal, ({ ctx, input }) => appeal(ctx.app, ctx.userId, input)),
})

/** Lists the settings in force, as `npm run config` prints them, with secrets hidden. */
function listSettings(): Line[] {
  return showSettings().map(({ name, value, from }) => ({ title: name, note: `${value ?? '–'} (${from})` }))
}
