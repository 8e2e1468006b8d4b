import { contract } from '@papermoon/contract'
import type { Fair } from '@papermoon/contract/fairs'
import type { UserId } from '@papermoon/engine'
import type { App } from '../../context.ts'
import { implement, router } from '../../trpc.ts'
import { endByOperator, listAllFairs } from './administer.ts'
import { getBag } from './bag.ts'
import { beginQuickArena, createFair } from './create.ts'
import { enterFair, getFairFor, leaveFair } from './enter.ts'
import { removeFromFair, renewInvite, updateFair } from './host.ts'
import { getLeague } from './league/get-league.ts'
import { listFairs } from './list.ts'
import { getRanking } from './ranking.ts'
import { getRecord } from './record.ts'
import { rematch } from './rematch.ts'
import { getReplay } from './replay.ts'
import { getStory } from './story.ts'
import { getFairTrades, listFairTokens } from './trades.ts'
import { watchFair } from './watch.ts'

const { admin, fairs } = contract

interface FairCall<Ctx, Input> {
  readonly ctx: Ctx
  readonly input: Input
}

/** Defines a query about a fair, which only callers who can see the fair can use. */
function shown<
  Ctx extends { readonly app: App; readonly userId: UserId | null },
  Input extends { readonly id: number },
  Output,
>(read: (call: FairCall<Ctx, Input>, fair: Fair) => Promise<Output>) {
  return async (call: FairCall<Ctx, Input>): Promise<Output> => {
    return await read(call, await getFairFor(call.ctx.app, call.ctx.userId, { id: call.input.id }))
  }
}

export const fairsRouter = router({
  list: implement(fairs.list, ({ ctx, input }) => listFairs(ctx.app, ctx.userId, input)),
  get: implement(fairs.get, ({ ctx, input }) => getFairFor(ctx.app, ctx.userId, input)),
  create: implement(fairs.create, ({ ctx, input }) => createFair(ctx, input)),
  rematch: implement(fairs.rematch, ({ ctx, input }) => rematch(ctx, input)),
  beginQuick: implement(fairs.beginQuick, ({ ctx }) => beginQuickArena(ctx)),
  enter: implement(fairs.enter, ({ ctx, input }) => enterFair(ctx, input)),
  leave: implement(fairs.leave, async ({ ctx, input }) => {
    const seen = await getFairFor(ctx.app, ctx.userId, input)
    await leaveFair(ctx.app, ctx.userId, input)
    return { ...seen, me: seen.me?.isHost === true ? { ...seen.me, balance: null } : null }
  }),
  ranking: implement(
    fairs.ranking,
    shown(({ ctx, input }, fair) => getRanking(ctx.app, ctx.userId, fair, input)),
  ),
  tokens: implement(
    fairs.tokens,
    shown(({ ctx, input }) => listFairTokens(ctx.app, input.id)),
  ),
  trades: implement(
    fairs.trades,
    shown(({ ctx, input }) => getFairTrades(ctx, input)),
  ),
  bag: implement(
    fairs.bag,
    shown(({ ctx, input }) => getBag(ctx.app, ctx.userId, input.id)),
  ),
  story: implement(
    fairs.story,
    shown(({ ctx, input }) => getStory(ctx.app, ctx.userId, input.id)),
  ),
  replay: implement(
    fairs.replay,
    shown(({ ctx }, fair) => getReplay(ctx, ctx.userId, fair)),
  ),
  league: implement(fairs.league, ({ ctx }) => getLeague(ctx.app, ctx.userId)),
  record: implement(fairs.record, ({ ctx, input }) => getRecord(ctx.app, input.userId)),
  update: implement(fairs.update, ({ ctx, input }) => updateFair(ctx.app, ctx.userId, input)),
  renewInvite: implement(fairs.renewInvite, ({ ctx, input }) => renewInvite(ctx.app, ctx.userId, input.id)),
  remove: implement(fairs.remove, ({ ctx, input }) => removeFromFair(ctx.app, ctx.userId, input)),
  watch: implement(fairs.watch, ({ ctx, input, signal }) =>
    watchFair(ctx.app, { userId: ctx.userId, fairId: input.id }, signal),
  ),
})

/** Procedures of the `admin` router that are about fairs. */
export const fairsAdminParts = {
  fairs: implement(admin.fairs, ({ ctx }) => listAllFairs(ctx.app)),
  endFair: implement(admin.endFair, ({ ctx: { app, userId }, input }) => {
    const { db, clock } = app.platform
    return endByOperator(db, { ...input, actor: { userId, as: 'operator' }, now: clock.now() })
  }),
}
