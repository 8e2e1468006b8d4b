import { contract } from '@papermoon/contract'
import { implement, router } from '../../trpc.ts'
import { buy } from './buy.ts'
import { getPosition } from './position.ts'
import { getQuote } from './quotes/get-quote.ts'
import { rug } from './rug.ts'
import { seal } from './seal.ts'
import { sell } from './sell.ts'

export const tradingRouter = router({
  buy: implement(contract.trading.buy, ({ ctx, input }) => buy(ctx, input)),
  sell: implement(contract.trading.sell, ({ ctx, input }) => sell(ctx, input)),
  rug: implement(contract.trading.rug, ({ ctx, input }) => rug(ctx, input)),
  seal: implement(contract.trading.seal, ({ ctx, input }) => seal(ctx, input)),
  quote: implement(contract.trading.quote, ({ ctx, input }) => getQuote(ctx.app, ctx.userId, input)),
  position: implement(contract.trading.position, ({ ctx, input }) => getPosition(ctx.app, ctx.userId, input.tokenId)),
})
