import { contract } from '@papermoon/contract'
import { implement, router } from '../../trpc.ts'
import { getChart } from './chart/chart.ts'
import { markedTrades } from './chart/marked-trades.ts'
import { getToken, getTokensByIds } from './get.ts'
import { getCandles } from './history/candles.ts'
import { getHolders } from './history/holder-pages.ts'
import { getTokenTrades } from './history/token-trades.ts'
import { launch } from './launch.ts'
import { getCardFigures } from './list/card-figures.ts'
import { listTokens } from './list/list.ts'
import { getMarketTrades, latestMarketTrades } from './list/market-trades.ts'
import { getMovers } from './list/movers.ts'
import { getBag } from './past/bag.ts'
import { findMomentAt, getMoment } from './past/moment.ts'
import { getPastChart } from './past/past-chart.ts'
import { getSteps } from './past/steps.ts'
import { getRugReport } from './rug-report.ts'
import { watchToken } from './watch.ts'

export const pastRouter = router({
  moment: implement(contract.past.moment, ({ ctx, input }) => getMoment(ctx, input)),
  chart: implement(contract.past.chart, ({ ctx, input }) => getPastChart(ctx, input)),
  at: implement(contract.past.at, ({ ctx, input }) => findMomentAt(ctx, input)),
  steps: implement(contract.past.steps, ({ ctx, input }) => getSteps(ctx, input)),
  bag: implement(contract.past.bag, ({ ctx, input }) => getBag(ctx, ctx.userId, input)),
})

export const historyRouter = router({
  trades: implement(contract.history.trades, ({ ctx, input }) => getMarketTrades(ctx, input)),
  candles: implement(contract.history.candles, ({ ctx, input }) =>
    getCandles(ctx, input, (reads) => ctx.app.accounts.limits.spend(ctx, 'read', reads)),
  ),
})

export const tokensRouter = router({
  list: implement(contract.tokens.list, ({ ctx, input }) => listTokens(ctx.app, input)),
  watch: implement(contract.tokens.watch, ({ ctx, input }) => watchToken(ctx.app, input.id, ctx.ip)),
  byIds: implement(contract.tokens.byIds, ({ ctx, input }) => getTokensByIds(ctx.app, input.ids)),
  figures: implement(contract.tokens.figures, ({ ctx, input }) => getCardFigures(ctx.app, input.ids)),
  movers: implement(contract.tokens.movers, ({ ctx }) => getMovers(ctx.app)),
  tape: implement(contract.tokens.tape, ({ ctx }) => latestMarketTrades(ctx.app)),
  get: implement(contract.tokens.get, ({ ctx, input }) => getToken(ctx.app, input.id)),
  trades: implement(contract.tokens.trades, ({ ctx, input }) => getTokenTrades(ctx, input)),
  holders: implement(contract.tokens.holders, ({ ctx, input }) => getHolders(ctx, input)),
  chart: implement(contract.tokens.chart, ({ ctx, input }) => getChart(ctx.app, input)),
  rugStory: implement(contract.tokens.rugStory, ({ ctx, input }) => getRugReport(ctx.app, input.id)),
  markedTrades: implement(contract.tokens.markedTrades, ({ ctx, input }) =>
    markedTrades(ctx.app, input.id, ctx.userId),
  ),
  launch: implement(contract.tokens.launch, ({ ctx, input }) => launch(ctx, input)),
})
