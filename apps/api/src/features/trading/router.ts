import { guestOrPlayer, router, signedIn } from '../../trpc.ts'
import { buy } from './buy.ts'
import { getPosition } from './position.ts'
import { getQuote } from './quotes/get-quote.ts'
import { quote, quoteInput } from './quotes/schemas.ts'
import { rug } from './rug.ts'
import {
  buyInput,
  buyResult,
  positionAnswer,
  positionInput,
  rugInput,
  rugResult,
  sellInput,
  sellResult,
} from './schemas.ts'
import { sell } from './sell.ts'

export const tradingRouter = router({
  buy: signedIn
    .meta({ apiKey: 'trade', whenSuspended: 'repeats' })
    .input(buyInput)
    .output(buyResult)
    .mutation(({ ctx, input }) => buy(ctx.app, ctx.userId, input)),
  sell: signedIn
    .meta({ apiKey: 'trade', whenSuspended: 'allowed' })
    .input(sellInput)
    .output(sellResult)
    .mutation(({ ctx, input }) => sell(ctx.app, ctx.userId, input)),
  rug: signedIn
    .meta({ apiKey: 'trade', whenSuspended: 'repeats' })
    .input(rugInput)
    .output(rugResult)
    .mutation(({ ctx, input }) => rug(ctx.app, ctx.userId, input)),
  quote: guestOrPlayer
    .meta({ apiKey: 'any' })
    .input(quoteInput)
    .output(quote)
    .query(({ ctx, input }) => getQuote(ctx.app, ctx.userId, input)),
  position: signedIn
    .meta({ apiKey: 'market' })
    .input(positionInput)
    .output(positionAnswer)
    .query(({ ctx, input }) => getPosition(ctx.app, ctx.userId, input.tokenId)),
})
