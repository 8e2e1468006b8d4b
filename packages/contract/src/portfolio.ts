import { z } from 'zod'
import { HELD, LAUNCHED_AT, MARK_VALUE, POOL, TOKEN_NAMED, TRADED_AT, WORTH } from './example-market.ts'
import { tokenId, userId } from './ids.ts'
import { poolState, sealedUntil } from './market-events.ts'
import { query } from './procedure.ts'
import { decimal, time, tokenFields } from './shapes.ts'

export const HISTORY_TIMEFRAMES = ['24H', '7D', '30D', 'ALL'] as const
export type HistoryTimeframe = (typeof HISTORY_TIMEFRAMES)[number]

/** Maximum number of past points in one answer; the live point comes on top. */
export const HISTORY_POINTS_MAX = 102

const amount = decimal.describe('Tokens held.')
const currentPrice = decimal.describe('Spot price in SOL; 0 after a rug pull.')
const markValue = decimal.describe('Mark value: amount × currentPrice in SOL, cut to 9 decimals.')
const cashOutValue = decimal.describe('SOL that selling it all now would pay, after the fee.')

const isListed = z
  .boolean()
  .describe('False where an operator has hidden the token: it has no page, and its holders may still sell it.')

const pool = poolState.describe('The token’s reserves, from which any sale can be quoted.')

export const portfolioInput = z.object({
  userId: userId.optional().describe('The signed-in player; another one is refused.'),
})

/** A player's holding of one token. */
export const portfolioEntry = z
  .object({
    ...tokenFields,
    amount,
    currentPrice,
    pool,
    totalValue: markValue,
    cashOutValue,
    cost: decimal.describe('SOL paid for it, fees included (average cost).'),
    profitLoss: decimal.describe('cashOutValue − cost, in SOL: what selling it all now would win or lose.'),
    profitLossPercent: decimal.describe('profitLoss as percent of cost, 2 decimals.'),
    profitLoss24h: decimal.describe(
      'SOL: cashOutValue, less what selling what was held 24 hours ago would have paid then, plus SOL received and less SOL paid for the token since.',
    ),
    profitLossPercent24h: decimal.describe('profitLoss24h as percent of that earlier value plus SOL paid since.'),
    ruggedAt: time.nullable(),
    sealedUntil,
    isListed,
  })
  .meta({ id: 'PortfolioEntry' })
export type PortfolioEntry = z.output<typeof portfolioEntry>
export const portfolio = z.array(portfolioEntry).describe('The most valuable first, at most 1,000.')

export const portfolioSummary = z
  .object({
    totalValue: decimal.describe('SOL: the sum of every mark value.'),
    cashOutValue: decimal.describe('SOL: the sum of every cash-out value.'),
    cost: decimal.describe('SOL.'),
    profitLoss: decimal.describe('cashOutValue − cost, in SOL.'),
    profitLossPercent: decimal,
    profitLoss24h: decimal.describe(
      'SOL: net worth now − net worth 24 hours ago (a whole minute; or the first SOL, for a younger player) − SOL granted since.',
    ),
    profitLossPercent24h: decimal
      .nullable()
      .describe('profitLoss24h as percent of that earlier net worth plus SOL granted since; null where that is 0.'),
    holdings: z.int().describe('How many tokens are held.'),
  })
  .meta({ id: 'PortfolioSummary' })
export type PortfolioSummary = z.output<typeof portfolioSummary>

export const dashboard = z
  .object({
    pnl: z.object({
      total: decimal.describe('SOL: realized + unrealized.'),
      realized: decimal.describe('SOL: the sum of realizedParts.'),
      unrealized: decimal.describe('SOL: cash-out value less cost of everything held.'),
      realizedParts: z.object({
        closedTrades: decimal.describe('SOL received in sales, less the cost of what was sold.'),
        launchFees: decimal.describe('SOL, 0 or below.'),
        rugs: decimal.describe('SOL taken out of one’s own pools.'),
      }),
      unrealizedParts: z.object({ cashOutValue: decimal, cost: decimal }).describe('SOL of everything held.'),
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

/** Holdings named in a net worth; the others are summed. */
export const WORTH_PARTS_MAX = 8

export const netWorth = z
  .object({
    netWorth: decimal.describe('SOL that the player could take out now: balance + cashOutValue + ownPools.'),
    balance: decimal.describe('SOL.'),
    cashOutValue: decimal.describe(
      'SOL that selling each holding now would pay, after the fee; without those of one’s own open pools, which ownPools counts.',
    ),
    ownPools: decimal.describe(
      'Real SOL in the open pools of the tokens that the player launched: what pulling their rugs now would pay.',
    ),
    ownBags: decimal.describe('SOL that selling what is held of those tokens would pay instead: a part of ownPools.'),
    openPools: z.int().describe('How many such pools there are.'),
    ownTokens: z.array(tokenId).describe('Their tokens, the newest first, at most 1,000.'),
    holdings: z.int().describe('How many tokens are held.'),
    granted: decimal.describe('SOL that the player was granted in all: the first ones, and by resets.'),
    largest: z
      .array(z.object({ ...tokenFields, cashOutValue }))
      .describe(`The holdings of others’ tokens that would pay most, at most ${WORTH_PARTS_MAX}.`),
    others: decimal.describe('SOL that selling the other holdings of others’ tokens would pay.'),
    othersCount: z.int().describe('How many those are.'),
  })
  .meta({ id: 'NetWorth' })
export type NetWorth = z.output<typeof netWorth>

export const historyTimeframe = z.enum(HISTORY_TIMEFRAMES)
export const historyInput = z.object({ timeframe: historyTimeframe.default('ALL') })

export const history = z
  .object({
    timeframe: historyTimeframe,
    since: time.describe(
      'Time of the first point: later than the timeframe where the player is younger, or did more than can be read at once.',
    ),
    grantedBefore: decimal.describe(
      'SOL granted to the player before the first point: what was granted since is no gain.',
    ),
    points: z
      .array(
        z.object({
          time,
          netWorth: decimal.describe(
            'SOL: balance, the SOL in one’s own open pools, and the cash-out value of all other holdings. Exact in the first and the last point; between, rebuilt from prices, to some billionths.',
          ),
          balance: decimal.describe('SOL; exact.'),
        }),
      )
      .describe(`Oldest first, at most ${HISTORY_POINTS_MAX + 1}; the last is of now.`),
  })
  .meta({ id: 'NetWorthHistory' })
export type History = z.output<typeof history>

const GAIN = { profitLoss: '-0.005991001', profitLossPercent: '-0.6' }

const HOLDING_DAY = { profitLoss24h: '-0.005991001', profitLossPercent24h: '-0.6' }

const DAY = { profitLoss24h: '-0.023', profitLossPercent24h: '-0.02' }

export const portfolioProcedures = {
  get: query({
    apiKey: 'market',
    input: portfolioInput,
    output: portfolio,
    rest: 'GET /api/portfolio',
    operationId: 'getPortfolio',
    summary: 'What the signed-in player holds, the most valuable first.',
    errors: ['NOT_YOURS'],
    example: {
      input: { userId: 3 },
      answer: [
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
    summary: 'The sums over what the signed-in player holds.',
    example: { answer: { ...WORTH, cost: '1', ...GAIN, ...DAY, holdings: 1 } },
  }),
  netWorth: query({
    apiKey: 'market',
    output: netWorth,
    rest: 'GET /api/portfolio/net-worth',
    operationId: 'getNetWorth',
    summary: 'What the signed-in player could have in SOL now, and where it is.',
    example: {
      answer: {
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
    summary: 'Balance and net worth of the signed-in player over time: about 100 points, the last one of now.',
    errors: ['BUSY'],
    example: {
      input: { timeframe: '24H' },
      answer: {
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
    summary: 'What the signed-in player won, holds and launched.',
    example: {
      answer: {
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
