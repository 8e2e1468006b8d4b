import { contract } from '@papermoon/contract'
import { implement, router } from '../../../trpc.ts'
import { getCandles } from './candles.ts'
import { getMarketTrades } from './market-trades.ts'

export const historyRouter = router({
  trades: implement(contract.history.trades, ({ ctx, input }) => getMarketTrades(ctx, input)),
  candles: implement(contract.history.candles, ({ ctx, input }) =>
    getCandles(ctx, input, (reads) => ctx.app.accounts.limits.spend(ctx, 'read', reads)),
  ),
})
