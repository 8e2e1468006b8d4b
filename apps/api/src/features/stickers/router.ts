import { contract } from '@papermoon/contract'
import { implement, router } from '../../trpc.ts'
import { listStickers } from './list-stickers.ts'

export const stickersRouter = router({
  list: implement(contract.stickers.list, ({ ctx, input }) => listStickers(ctx.app, input.id)),
})
