import { z } from 'zod'
import { HELD, LAUNCHED_AT, MARK_VALUE, POOL, TOKEN_NAMED, TRADED_AT, WORTH } from './example-market.ts'
import { tokenId, userId } from './ids.ts'
import { poolState, sealedUntil } from './market-events.ts'
import { query } from './procedure.ts'
import { decimal, time, tokenFields, tokenShown } from './shapes.ts'
import { time as requestTime } from './times.ts'

export const HISTORY_TIMEFRAMES = ['24H', '7D', '30D', 'ALL'] as const
export type HistoryTimeframe = (typeof HISTORY_TIMEFRAMES)[number]

/** Max number of past points per response, without the current point. */
export const HISTORY_POINTS_MAX = 102

const amount = decimal.describe('Number of tokens held.')
const currentPrice = decimal.describe('Spot price in SOL per token, or 0 after a rug pull.')
const markValue = decimal.describe('Amount × currentPrice in SOL, truncated to 9 decimals.')
const cashOutValue = decimal.describe('SOL that selling the whole holding now would pay, after the fee.')

const isListed = z.boolean().describe('Whether the token is public. Holders can still sell a hidden token.')

const pool = poolState.describe('Reserves of the token’s pool, for computing quotes.')

export const portfolioInput = z.object({
  userId: userId.optional().describe('Id of the logged-in player.'),
})

export const portfolioEntry = z
  .object({
    ...tokenFields,
    amount,
    currentPrice,
    pool,
    totalValue: markValue,
    cashOutValue,
    cost: decimal.describe('Average cost of the holding in SOL, including fees.'),
    profitLoss: decimal.describe('Unrealized profit or loss in SOL (cashOutValue − cost).'),
    profitLossPercent: decimal.describe('`profitLoss` as a percentage of `cost`, with 2 decimals.'),
    profitLoss24h: decimal.describe(
      'Profit or loss over 24 hours in SOL: cashOutValue − cash-out value 24 hours ago + SOL received − SOL paid since then.',
    ),
    profitLossPercent24h: decimal.describe(
      '`profitLoss24h` as a percentage of the cash-out value 24 hours ago plus the SOL paid since then.',
    ),
    ruggedAt: time.nullable(),
    sealedUntil,
    isListed,
  })
  .meta({ id: 'PortfolioEntry' })
export type PortfolioEntry = z.output<typeof portfolioEntry>
export const portfolio = z.array(portfolioEntry).describe('Most valuable holdings first, at most 1,000.')

export const portfolioSummary = z
  .object({
    netWorth: decimal.describe('Your net worth in SOL.'),
    totalValue: decimal.describe('Sum of all holdings’ amount × price, in SOL.'),
    cashOutValue: decimal.describe('Sum of cash-out values in SOL.'),
    cost: decimal.describe('Sum of costs in SOL.'),
    profitLoss: decimal.describe('Unrealized profit or loss in SOL (cashOutValue − cost).'),
    profitLossPercent: decimal,
    profitLoss24h: decimal.describe(
      'Profit or loss over 24 hours in SOL: net worth now − net worth 24 hours ago − SOL granted since then. For newer players, the starting SOL counts as the earlier net worth.',
    ),
    profitLossPercent24h: decimal
      .nullable()
      .describe(
        '`profitLoss24h` as a percentage of the net worth 24 hours ago plus the SOL granted since then, or null if this sum is 0.',
      ),
    holdings: z.int().describe('Number of tokens held.'),
  })
  .meta({ id: 'PortfolioSummary' })
export type PortfolioSummary = z.output<typeof portfolioSummary>

export const dashboard = z
  .object({
    pnl: z.object({
      total: decimal.describe('Realized plus unrealized profit, in SOL.'),
      realized: decimal.describe('Sum of realizedParts, in SOL.'),
      unrealized: decimal.describe('Cash-out value minus cost of all holdings, in SOL.'),
      realizedParts: z.object({
        closedTrades: decimal.describe('SOL received in sales minus cost of the tokens sold.'),
        launchFees: decimal.describe('Launch fees in SOL, 0 or negative.'),
        rugs: decimal.describe('SOL from rug pulls of the player’s own tokens.'),
      }),
      unrealizedParts: z
        .object({ cashOutValue: decimal, cost: decimal })
        .describe('Parts of the unrealized profit, summed over all holdings.'),
    }),
    holdings: z.array(
      z.object({
        ...tokenFields,
        amount,
        currentPrice,
        pool,
        currentValue: markValue,
        cashOutValue,
        ruggedAt: time.nullable(),
        sealedUntil,
        isListed,
      }),
    ),
    createdTokens: z.array(
      z.object({
        ...tokenFields,
        createdAt: time,
        currentPrice,
        liquiditySOL: decimal.describe('Real SOL in the pool.'),
        ruggedAt: time.nullable(),
        sealedUntil,
      }),
    ),
  })
  .meta({ id: 'Dashboard' })
export type Dashboard = z.output<typeof dashboard>

/** Max number of holdings in a net worth. The response contains the other holdings as a sum. */
export const WORTH_PARTS_MAX = 8

export const netWorth = z
  .object({
    netWorth: decimal.describe('SOL that the player could take out now (balance + cashOutValue + ownPools).'),
    balance: decimal.describe('SOL balance.'),
    cashOutValue: decimal.describe(
      'SOL that selling each holding now would pay, after the fee, except holdings of your own open tokens (see ownPools).',
    ),
    ownPools: decimal.describe('Real SOL in the pools of your open tokens, which rug pulls would pay to you now.'),
    ownBags: decimal.describe('SOL that selling your holdings of your own tokens would pay, included in ownPools.'),
    openPools: z.int().describe('Number of your tokens that are open.'),
    ownTokens: z.array(tokenId).describe('Your tokens, newest first, at most 1,000.'),
    holdings: z.int().describe('Number of tokens held.'),
    granted: decimal.describe('All SOL that the player was granted at registration and by resets.'),
    largest: z
      .array(z.object({ ...tokenFields, cashOutValue }))
      .describe(`Most valuable holdings of other players’ tokens, at most ${WORTH_PARTS_MAX}.`),
    others: decimal.describe('SOL that selling the holdings not in `largest` would pay.'),
    othersCount: z.int().describe('Number of holdings not in `largest`.'),
  })
  .meta({ id: 'NetWorth' })
export type NetWorth = z.output<typeof netWorth>

export const historyTimeframe = z.enum(HISTORY_TIMEFRAMES)
export const historyInput = z.object({ timeframe: historyTimeframe.default('ALL') })

export const history = z
  .object({
    timeframe: historyTimeframe,
    since: time.describe(
      'Time of the first point. For new players or very many trades, the history starts later than the timeframe.',
    ),
    grantedBefore: decimal.describe(
      'SOL that was granted before the first point. Do not count SOL granted after the first point as a gain.',
    ),
    points: z
      .array(
        z.object({
          time,
          netWorth: decimal.describe(
            'Net worth in SOL: balance, SOL in your own open pools, and cash-out value of other holdings. The first and last point are exact. The others are computed from prices.',
          ),
          balance: decimal.describe('Exact SOL balance.'),
        }),
      )
      .describe(`Points, oldest first, at most ${HISTORY_POINTS_MAX + 1}. The last point has the current values.`),
  })
  .meta({ id: 'NetWorthHistory' })
export type History = z.output<typeof history>

/** Max number of holdings in `bags`. */
export const WELCOME_PARTS_MAX = 3
export const welcomeInput = z.object({ since: requestTime.describe('Time of the last visit.') })
const token = z.object(tokenShown)
/** Changes for a player since the last visit. A field is null if nothing changed. */
export const welcome = z.object({
  gain: decimal.nullable().describe('Change of your net worth in SOL, without SOL granted to you.'),
  bags: z.array(z.object({ token, percent: decimal.describe('Price change in percent.') })),
  buyers: z
    .object({
      players: z.int(),
      sol: decimal.describe('SOL that these buyers paid.'),
      tokens: z.int(),
      token: token.describe('The token that other players bought most.'),
    })
    .nullable(),
  orders: z
    .object({ count: z.int().describe('Number of orders.'), token: token.describe('The token of the last order.') })
    .nullable(),
  passedBy: z
    .object({ id: userId, username: z.string() })
    .nullable()
    .describe('Player who took your rank in the top 3.'),
  seal: z.object({ token, until: time }).nullable(),
  league: z
    .object({
      place: z.int(),
      division: z.int().describe('Division 1 is the highest, and 5 is the lowest.'),
      passedBy: z
        .object({ id: userId, username: z.string() })
        .nullable()
        .describe('The best-ranked player who has passed you in the league.'),
    })
    .nullable(),
})
export type Welcome = z.output<typeof welcome>

const GAIN = { profitLoss: '-0.005991001', profitLossPercent: '-0.6' }

const HOLDING_DAY = { profitLoss24h: '-0.005991001', profitLossPercent24h: '-0.6' }

const DAY = { profitLoss24h: '-0.023', profitLossPercent24h: '-0.02' }

export const portfolioProcedures = {
  welcome: query({
    apiKey: 'never',
    input: welcomeInput,
    output: welcome,
    rest: 'GET /api/portfolio/welcome',
    operationId: 'getWelcome',
    summary: 'Returns what happened to you since your last visit.',
    example: {
      input: { since: '2026-03-01T12:00:00.000Z' },
      response: { gain: '1.25', bags: [], buyers: null, orders: null, passedBy: null, seal: null, league: null },
    },
  }),
  get: query({
    apiKey: 'market',
    input: portfolioInput,
    output: portfolio,
    rest: 'GET /api/portfolio',
    operationId: 'getPortfolio',
    summary: 'Lists your holdings, most valuable first.',
    errors: ['NOT_YOURS'],
    example: {
      input: { userId: 3 },
      response: [
        {
          ...TOKEN_NAMED,
          ...HELD,
          pool: POOL,
          ...WORTH,
          cost: '1',
          ...GAIN,
          ...HOLDING_DAY,
          ruggedAt: null,
          sealedUntil: null,
          isListed: true,
        },
      ],
    },
  }),
  summary: query({
    apiKey: 'market',
    output: portfolioSummary,
    rest: 'GET /api/portfolio/summary',
    operationId: 'getPortfolioSummary',
    summary: 'Returns the totals of all your holdings.',
    example: { response: { netWorth: '99.977', ...WORTH, cost: '1', ...GAIN, ...DAY, holdings: 1 } },
  }),
  netWorth: query({
    apiKey: 'market',
    output: netWorth,
    rest: 'GET /api/portfolio/net-worth',
    operationId: 'getNetWorth',
    summary: 'Returns your net worth in SOL and its parts.',
    example: {
      response: {
        netWorth: '99.977',
        balance: '98.98',
        cashOutValue: '0',
        ownPools: '0.997',
        ownBags: WORTH.cashOutValue,
        openPools: 1,
        ownTokens: [7],
        holdings: 1,
        granted: '100',
        largest: [],
        others: '0',
        othersCount: 0,
      },
    },
  }),
  history: query({
    apiKey: 'market',
    input: historyInput,
    output: history,
    rest: 'GET /api/portfolio/history',
    operationId: 'getNetWorthHistory',
    summary:
      'Returns your balance and net worth over time, in about 100 points. The last point has the current values.',
    errors: ['BUSY'],
    example: {
      input: { timeframe: '24H' },
      response: {
        timeframe: '24H',
        since: LAUNCHED_AT,
        grantedBefore: '100',
        points: [
          { time: LAUNCHED_AT, netWorth: '100', balance: '100' },
          { time: TRADED_AT, netWorth: '99.977', balance: '98.98' },
        ],
      },
    },
  }),
  dashboard: query({
    apiKey: 'market',
    output: dashboard,
    rest: 'GET /api/dashboard',
    operationId: 'getDashboard',
    summary: 'Returns your profit and loss, holdings and launched tokens.',
    example: {
      response: {
        pnl: {
          total: '-0.025991001',
          realized: '-0.02',
          unrealized: '-0.005991001',
          realizedParts: { closedTrades: '0', launchFees: '-0.02', rugs: '0' },
          unrealizedParts: { cashOutValue: WORTH.cashOutValue, cost: '1' },
        },
        holdings: [
          {
            ...TOKEN_NAMED,
            ...HELD,
            pool: POOL,
            currentValue: MARK_VALUE,
            cashOutValue: WORTH.cashOutValue,
            ruggedAt: null,
            sealedUntil: null,
            isListed: true,
          },
        ],
        createdTokens: [
          {
            ...TOKEN_NAMED,
            createdAt: LAUNCHED_AT,
            currentPrice: HELD.currentPrice,
            liquiditySOL: '0.997',
            ruggedAt: null,
            sealedUntil: null,
          },
        ],
      },
    },
  }),
}
