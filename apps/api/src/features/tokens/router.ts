import { anyone, guestOrPlayer, router, signedIn } from '../../trpc.ts'
import { getChart } from './chart/chart.ts'
import { markedTrades } from './chart/marked-trades.ts'
import { getToken } from './get.ts'
import { getHolders } from './history/holder-pages.ts'
import { countPageReads } from './history/page-reads.ts'
import { holdersInput, tokenTradesInput } from './history/schemas.ts'
import { getTokenTrades } from './history/token-trades.ts'
import { launch } from './launch.ts'
import { countReadsByIds, getTokensByIds } from './list/by-ids.ts'
import { getCardFigures } from './list/card-figures.ts'
import { countListReads, listTokens } from './list/list.ts'
import { latestMarketTrades } from './list/market-trades.ts'
import { getMovers } from './list/movers.ts'
import { getRugReport } from './rug-report.ts'
import {
  byId,
  cardFiguresInput,
  cardFiguresList,
  chart,
  chartInput,
  holders,
  launchInput,
  launchResult,
  listInput,
  markedTradeList,
  marketTrades,
  movers,
  rugReport,
  token,
  tokenList,
  tokenPage,
  tokensByIdsInput,
  trades,
} from './schemas.ts'

export const tokensRouter = router({
  list: anyone
    .meta({ answer: tokenPage, reads: countListReads })
    .input(listInput)
    .query(({ ctx, input }) => listTokens(ctx.app, input)),
  byIds: anyone
    .meta({ answer: tokenList, reads: countReadsByIds })
    .input(tokensByIdsInput)
    .query(({ ctx, input }) => getTokensByIds(ctx.app, input.ids)),
  figures: anyone
    .meta({ answer: cardFiguresList })
    .input(cardFiguresInput)
    .query(({ ctx, input }) => getCardFigures(ctx.app, input.ids)),
  movers: anyone.meta({ answer: movers }).query(({ ctx }) => getMovers(ctx.app)),
  tape: anyone.meta({ answer: marketTrades }).query(({ ctx }) => latestMarketTrades(ctx.app)),
  get: anyone
    .meta({ answer: token })
    .input(byId)
    .query(({ ctx, input }) => getToken(ctx.app, input.id)),
  trades: anyone
    .meta({ answer: trades, reads: countPageReads })
    .input(tokenTradesInput)
    .query(({ ctx, input }) => getTokenTrades(ctx, input)),
  holders: anyone
    .meta({ answer: holders, reads: countPageReads })
    .input(holdersInput)
    .query(({ ctx, input }) => getHolders(ctx, input)),
  chart: anyone
    .meta({ answer: chart })
    .input(chartInput)
    .query(({ ctx, input }) => getChart(ctx.app, input)),
  rugStory: anyone
    .input(byId)
    .output(rugReport)
    .query(({ ctx, input }) => getRugReport(ctx.app, input.id)),
  markedTrades: guestOrPlayer
    .meta({ apiKey: 'market' })
    .input(byId)
    .output(markedTradeList)
    .query(({ ctx, input }) => markedTrades(ctx.app, input.id, ctx.userId)),
  launch: signedIn
    .meta({ limit: 'launch', apiKey: 'trade', whenSuspended: 'repeats' })
    .input(launchInput)
    .output(launchResult)
    .mutation(({ ctx, input }) => launch(ctx.app, ctx.userId, input)),
})
