import { contract } from '@papermoon/contract'
import { implement, router } from '../../trpc.ts'
import { buyOnTape, followPlay, playTape, sellOnTape } from './play.ts'
import { getTape, getTapeResult } from './reveal.ts'

export const tapeRouter = router({
  today: implement(contract.tape.today, ({ ctx }) => getTape(ctx)),
  play: implement(contract.tape.play, ({ ctx }) => playTape(ctx)),
  buy: implement(contract.tape.buy, ({ ctx, input }) => buyOnTape(ctx.app, input.id)),
  sell: implement(contract.tape.sell, ({ ctx, input }) => sellOnTape(ctx.app, input.id)),
  follow: implement(contract.tape.follow, ({ ctx, input, signal }) =>
    followPlay(ctx.app, { id: input.id, seen: Number(input.lastEventId ?? 0) }, signal),
  ),
  result: implement(contract.tape.result, ({ ctx, input }) => getTapeResult(ctx, input.day)),
})
