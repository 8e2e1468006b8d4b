import { anyone, router } from '../../../trpc.ts'
import { getCandles } from './candles.ts'
import { getMarketTrades } from './market-trades.ts'
import { countPageReads } from './page-reads.ts'
import { candlesInput, candlesPage, marketTradesInput, marketTradesPage } from './schemas.ts'

export const historyRouter = router({
  trades: anyone
    .meta({ reads: countPageReads })
    .input(marketTradesInput)
    .output(marketTradesPage)
    .query(({ ctx, input }) => getMarketTrades(ctx, input)),
  candles: anyone
    .meta({ reads: countPageReads })
    .input(candlesInput)
    .output(candlesPage)
    .query(({ ctx, input }) => getCandles(ctx, input, (reads) => ctx.app.limits.spend(ctx, 'read', reads))),
})
