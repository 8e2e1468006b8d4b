import { realSol, solText, tokensText } from '@papermoon/amm'
import { z } from 'zod'
import { dryRun, initialBuyAmount, isDryRun, isReplayed, requestKey } from './amounts.ts'
import { ORDER_ERRORS, TRADE_ERRORS } from './errors.ts'
import { BUY_TRADE, CHART, HELD, LAUNCHED_AT, TOKEN, TRADED_AT, toMarketCap, VICTIM } from './example-market.ts'
import { fairId, ID_MAX, tokenId } from './ids.ts'
import { poolState, seal, sealTerm, trade } from './market-events.ts'
import { countRows, mutation, query } from './procedure.ts'
import { decimal, NEXT_PAGE, player, playerFields, time, tokenNames } from './shapes.ts'
import { link, linkTo, optionalEmoji, optionalText, searchText, talkText, text } from './text.ts'
import { timeRange } from './times.ts'

/** The default emoji for tokens: a coin. */
export const DEFAULT_EMOJI = '🪙'
export const SYMBOL_MAX = 10
export const NAME_MAX = 32
export const DESCRIPTION_MAX = 500
export const PAGE_MAX = 1_000
export const TRADES_PAGE = 50
export const HOLDERS_PAGE = 20
export const TICKS_MAX = 50
export const LOSERS_MAX = 10
export const MARKED_MAX = 200

const VOLUME_TEXT = 'paid by buyers, or received by sellers plus their fees.'

const shownId = z.int().min(0).max(ID_MAX).brand<'TokenId'>().describe('Id of the token. 0 in a dry run.')

export const token = z
  .object({
    id: shownId,
    ...tokenNames,
    description: z.string().nullable(),
    website: z.string().nullable(),
    x: z.string().nullable(),
    telegram: z.string().nullable(),
    supply: decimal,
    currentPrice: decimal.describe('Spot price in SOL per token, or 0 after a rug pull.'),
    priceChange24h: decimal.describe(
      'Price change over 24 hours in percent, with 2 decimals. For a token younger than a day, this is the change since its launch.',
    ),
    price24hAgo: decimal.describe('The past price from which priceChange24h is computed.'),
    volume24h: decimal.describe(`SOL traded in the last 24 hours: ${VOLUME_TEXT}`),
    marketCap: decimal.describe('Price × supply, in SOL.'),
    createdAt: time,
    creator: z.object(player),
    creatorHolding: decimal.describe('Tokens that the creator holds.'),
    pool: poolState,
    seq: z.int().describe('Sequence number of the token’s last event. Subscribe to live updates from this number on.'),
    lastEventAt: time.describe('Time of the last trade or rug pull, or of the launch if there is none.'),
    totalTrades: z.int(),
    ruggedAt: time.nullable(),
    seal: seal
      .nullable()
      .describe(
        'The last seal, or null if the token was never sealed. The seal may have ended, so compare its times with the clock.',
      ),
    fairId: z.int().optional().describe('Id of the token’s fair, absent for tokens outside fairs.'),
  })
  .meta({ id: 'Token' })
export type Token = z.output<typeof token>

export const sorts = ['newest', 'oldest', 'mcap-high', 'mcap-low', 'last-trade'] as const
export type Sort = (typeof sorts)[number]

export const listInput = z.object({
  search: searchText(64).optional().describe('Part of a name or symbol. The search ignores case.'),
  sort: z.enum(sorts).default('newest'),
  rugged: z.enum(['show', 'hide']).default('show').describe('Whether to list rugged tokens.'),
  limit: z.int().min(1).max(PAGE_MAX).default(PAGE_MAX),
  cursor: z.string().max(200).nullish().describe(NEXT_PAGE),
  direction: z.literal('forward').optional().describe('The server ignores this parameter.'),
})
export const tokenPage = z.object({ tokens: z.array(token), nextCursor: z.string().nullable() })
export type TokenPage = z.output<typeof tokenPage>

export const byId = z.object({ id: tokenId })

/** A comma-separated list of ids, without duplicates. */
function idList(max: number) {
  return z
    .string()
    .max(max * 11)
    .regex(/^\d{1,10}(,\d{1,10})*$/, 'must be ids of tokens, separated by commas')
    .transform((text) => [...new Set(text.split(',').map(Number))])
    .pipe(z.array(tokenId).max(max, `must be at most ${max} ids`))
    .describe(`Ids of the tokens, comma-separated, at most ${max}.`)
}

/** Max number of tokens per call. This is also the max number of stars per player. */
export const TOKENS_BY_IDS_MAX = 200

/** Max number of tokens per call. A page of the web app shows fewer tokens. */
export const CARD_FIGURES_MAX = 48

/** Number of steps in a sparkline, which has one point more than steps. */
export const SPARKLINE_STEPS = 24
/** Data for a token's card that is not part of the token. */
export const cardFigures = z
  .object({
    id: tokenId,
    holders: z.int().describe('Number of holders. A number above 1,000 is an estimate.'),
    areHoldersExact: z.boolean(),
    sparkline: z
      .array(decimal)
      .describe(
        'Prices in SOL at equal distances over the last 24 hours, or since the launch if that is later; 5 digits.',
      ),
  })
  .meta({ id: 'CardFigures' })
export type CardFigures = z.output<typeof cardFigures>

/** Max number of tokens per list. */
export const MOVERS_MAX = 8
export const movers = z
  .object({
    fresh: z.array(token).describe('The latest launches, newest first.'),
    rising: z
      .array(token)
      .describe('Most traded tokens whose price rose in 24 hours, sorted by number of recent buyers, then by gain.'),
    hot: z.array(token).describe('The most traded tokens, sorted by volume of 24 hours.'),
  })
  .meta({ id: 'Movers' })
export type Movers = z.output<typeof movers>

export const MARKET_TRADES_MAX = 20
/** A trade with its token's name, symbol and emoji. */
const tapeEntry = trade
  .extend({ tokenName: z.string(), tokenSymbol: z.string(), emoji: z.string() })
  .meta({ id: 'MarketTrade' })
export type MarketTrade = z.output<typeof tapeEntry>
export const marketTrades = z.array(tapeEntry)

export const holder = z.object({ ...playerFields, rank: z.int(), amount: decimal }).meta({ id: 'Holder' })
export type Holder = z.output<typeof holder>
export const holders = z.array(holder)
export const trades = z.array(trade)

/** The field for the requested page size. */
export const pageLimit = z.int().min(1).max(PAGE_MAX)
/** Cursor of a list of trades, which is the number of a trade. */
export const tradeCursor = z.int().min(1).max(Number.MAX_SAFE_INTEGER).optional()

export const tokenTradesInput = z.object({
  id: tokenId,
  limit: pageLimit.optional().describe('Default: 50.'),
  cursor: tradeCursor.describe(NEXT_PAGE),
  ...timeRange,
})
export type TokenTradesInput = z.output<typeof tokenTradesInput>

export const holdersInput = z.object({
  id: tokenId,
  limit: pageLimit.optional().describe('Default: 20.'),
  cursor: z.string().max(60).optional().describe(NEXT_PAGE),
})
export type HoldersInput = z.output<typeof holdersInput>

/** Convert to upper case before checking the length, because "ß" becomes two letters. */
const symbol = z
  .string()
  .meta({ minLength: 1, maxLength: SYMBOL_MAX })
  .transform((value) => value.toUpperCase())
  .pipe(talkText(SYMBOL_MAX))
  .describe(`The ticker: 1 to ${SYMBOL_MAX} characters, converted to capitals.`)

export const launchInput = z.object({
  name: text('name', NAME_MAX),
  symbol,
  emoji: optionalEmoji.describe(`Exactly one emoji. Default: ${DEFAULT_EMOJI}.`),
  description: optionalText('description', DESCRIPTION_MAX),
  website: link,
  x: linkTo('x'),
  telegram: linkTo('telegram'),
  initialBuyAmount,
  seal: z
    .object({
      term: sealTerm,
      bag: z.boolean().default(false).describe('Whether to lock the tokens of the first buy.'),
    })
    .optional()
    .describe('Seals the token at launch, so that the creator cannot rug it during the term.'),
  fairId: fairId
    .optional()
    .describe(
      'Id of the fair to launch in. The launch is paid with your SOL in the fair. If omitted, the token is launched outside fairs.',
    ),
  requestId: requestKey.optional(),
  dryRun,
})
export type LaunchInput = z.output<typeof launchInput>
export const launchResult = z.object({ id: shownId, token, isReplayed, dryRun: isDryRun })
export type LaunchResult = z.output<typeof launchResult>

export const timeframes = ['1H', '24H', '7D', 'ALL'] as const
/** Max number of candles per response and interval. The response contains the newest candles. */
export const INTERVAL_CANDLES_MAX = 1_500
/** Max number of trades from which the server computes an interval's candles. The server uses the newest trades. */
export const INTERVAL_TRADES_MAX = 12_000
export const intervals = ['1s', '5s', '15s', 'auto'] as const
export const chartInput = z
  .object({
    id: tokenId,
    timeframe: z.enum(timeframes).default('ALL'),
    interval: z
      .enum(intervals)
      .optional()
      .describe(
        `Width of each candle. The default depends on the timeframe. auto uses narrower candles for a token younger than the timeframe. 1s, 5s and 15s need timeframe 1H and return at most ${INTERVAL_CANDLES_MAX} candles of the newest ${INTERVAL_TRADES_MAX} trades.`,
      ),
  })
  .refine(({ timeframe, interval }) => interval === undefined || interval === 'auto' || timeframe === '1H', {
    path: ['interval'],
    message: 'is only for timeframe 1H',
  })

export const candle = z
  .object({
    time: time.describe('Start of the candle.'),
    open: decimal,
    high: decimal,
    low: decimal,
    close: decimal,
    volume: decimal.describe(`SOL traded in the candle: ${VOLUME_TEXT}`),
  })
  .meta({ id: 'Candle' })
export type Candle = z.output<typeof candle>

export const chart = z
  .object({
    timeframe: z.enum(timeframes),
    width: z.int().describe('Seconds per candle.'),
    candles: z.array(candle).describe('Candles, oldest first. A period without a trade has no candle.'),
    ticks: z
      .array(z.object({ seq: z.int(), time, price: decimal, side: z.enum(['buy', 'sell']) }))
      .describe('The last 50 trades, oldest first.'),
    high: decimal.nullable(),
    low: decimal.nullable(),
    change24h: decimal.describe('Percent, 2 decimals.'),
    price24hAgo: decimal.describe('The past price from which change24h is computed.'),
    totalTrades: z.int(),
    seq: z.int(),
  })
  .meta({ id: 'Chart' })
export type Chart = z.output<typeof chart>

const loser = z
  .object({
    rank: z.int(),
    ...playerFields,
    amount: decimal.describe('Number of tokens that the player still holds.'),
    cost: decimal.describe('Average cost of the tokens in SOL, including fees.'),
  })
  .meta({ id: 'RugLoser' })

export const rugReport = z
  .object({
    tokenId,
    creator: z.object(player).describe('The player who pulled the rug.'),
    launchedAt: time,
    ruggedAt: time,
    ruggedAmount: decimal.describe('SOL that the rug pull paid.'),
    totalTrades: z.int(),
    peakMarketCap: decimal.describe('Highest market cap ever, in SOL.'),
    holders: z.int().describe('Number of players who still hold tokens, without the creator.'),
    lost: decimal.describe('Total cost of the tokens that players still hold, in SOL.'),
    losers: z.array(loser).describe(`Players with the highest cost, except the creator, at most ${LOSERS_MAX}.`),
  })
  .meta({ id: 'RugReport' })
export type RugReport = z.output<typeof rugReport>

export const markedTrade = trade
  .pick({ seq: true, side: true, userId: true, createdAt: true })
  .meta({ id: 'MarkedTrade' })
export type MarkedTrade = z.output<typeof markedTrade>
export const markedTradeList = z.array(markedTrade)

/** Returns the cursor for the next page of a token's trades. The next page may be empty if `from` limits the list. */
export function findNextTradeCursor(trades: readonly z.output<typeof trade>[], limit = TRADES_PAGE): number | null {
  const last = trades.at(-1)
  return last === undefined || trades.length < limit || last.seq === 1 ? null : last.seq
}

/** Returns the cursor of the next page of holders. The next page of holders may be empty. */
export function findNextHolderCursor(holders: readonly Holder[], limit = HOLDERS_PAGE): string | null {
  const last = holders.at(-1)
  return last === undefined || holders.length < limit ? null : `${last.rank}-${last.userId}-${last.amount}`
}

/** Number of tokens in a page that count as one extra read in the rate limit. */
const TOKENS_PER_READ = 50
export const countListReads = countRows(TOKENS_PER_READ, { usual: PAGE_MAX, max: PAGE_MAX })

/** Counts the extra reads for a call from its input, which is not validated yet. */
export function countReadsByIds(input: unknown): number {
  const { ids } = Object(input) as { ids?: unknown }
  return typeof ids === 'string' ? Math.floor(ids.split(',', 4 * TOKENS_PER_READ).length / TOKENS_PER_READ) : 0
}

/**
 * Number of extra reads that a call counts as in the rate limit. Each open page makes this call three times a minute,
 * and the call may write a row.
 */
const WATCH_READS = 9

export const countPageReads = countRows(100, { max: 1_500 })

export const tokensProcedures = {
  list: query({
    access: 'anyone',
    reads: countListReads,
    input: listInput,
    cached: true,
    output: tokenPage,
    rest: 'GET /api/tokens',
    operationId: 'listTokens',
    list: 'tokens',
    summary: 'Lists tokens, by default the newest 1,000.',
    example: { input: { search: 'moon', sort: 'mcap-high', limit: 50 }, response: [TOKEN] },
  }),
  byIds: query({
    access: 'anyone',
    reads: countReadsByIds,
    input: z.object({ ids: idList(TOKENS_BY_IDS_MAX) }),
    cached: true,
    output: z.array(token),
    rest: 'GET /api/tokens/by-ids',
    operationId: 'getTokens',
    summary: 'Returns the tokens with these ids. The response leaves out unknown ids.',
    example: { input: { ids: '7' }, response: [TOKEN] },
  }),
  figures: query({
    access: 'anyone',
    input: z.object({ ids: idList(CARD_FIGURES_MAX) }),
    cached: true,
    output: z.array(cardFigures),
    rest: 'GET /api/tokens/figures',
    operationId: 'getTokenFigures',
    summary:
      'Returns holder counts and 24-hour prices of up to 48 tokens, cached for ten seconds. The response leaves out unknown ids.',
    example: {
      input: { ids: '7' },
      response: [
        {
          id: 7,
          holders: 1,
          areHoldersExact: true,
          sparkline: ['0.00000003', '0.00000003', '0.000000032027'],
        },
      ],
    },
  }),
  movers: query({
    access: 'anyone',
    cached: true,
    output: movers,
    rest: 'GET /api/tokens/movers',
    operationId: 'getMovers',
    summary: 'Returns the newest tokens, the largest gainers and the most traded tokens, at most 8 of each.',
    example: { response: { fresh: [], rising: [], hot: [] } },
  }),
  tape: query({
    access: 'anyone',
    cached: true,
    output: marketTrades,
    rest: 'GET /api/tokens/tape',
    operationId: 'listLatestTrades',
    summary: 'Lists the newest 20 trades of the market with their tokens.',
    deprecated: {
      since: '2026-11-23',
      sunset: '2027-12-01',
      instead: 'Use GET /api/trades?limit=20, which pages through all trades.',
      successor: '/api/trades?limit=20',
    },
    example: { response: [] },
  }),
  get: query({
    access: 'anyone',
    inFairs: true,
    input: byId,
    cached: true,
    output: token,
    rest: 'GET /api/tokens/{id}',
    operationId: 'getToken',
    summary: 'Returns a token.',
    errors: ['TOKEN_NOT_FOUND'],
    example: { input: { id: 7 }, response: TOKEN },
  }),
  trades: query({
    access: 'anyone',
    inFairs: true,
    reads: countPageReads,
    input: tokenTradesInput,
    cached: true,
    output: trades,
    rest: 'GET /api/tokens/{id}/trades',
    operationId: 'listTokenTrades',
    nextCursor: findNextTradeCursor,
    summary: 'Lists a token’s trades, newest first. A page has 50 trades by default, and at most 1,000.',
    errors: ['TOKEN_NOT_FOUND', 'BUSY'],
    example: { input: { id: 7, limit: 50, from: LAUNCHED_AT }, response: [BUY_TRADE] },
  }),
  watch: mutation({
    access: 'anyone',
    whenSuspended: 'allowed',
    reads: () => WATCH_READS,
    input: z.object({ id: tokenId }),
    output: z
      .object({
        watching: z
          .int()
          .describe('Number of viewers now, at most one per network, including you. Numbers above 20 are rounded.'),
      })
      .meta({ id: 'Watching' }),
    rest: 'POST /api/tokens/{id}/watch',
    operationId: 'watchToken',
    summary:
      'Reports that you are viewing a token, and returns its number of viewers. Call this operation every twenty seconds.',
    errors: ['TOKEN_NOT_FOUND'],
    example: { input: { id: 7 }, response: { watching: 14 } },
  }),
  holders: query({
    access: 'anyone',
    inFairs: true,
    reads: countPageReads,
    input: holdersInput,
    cached: true,
    output: holders,
    rest: 'GET /api/tokens/{id}/holders',
    operationId: 'listTokenHolders',
    nextCursor: findNextHolderCursor,
    summary: 'Lists a token’s holders, largest first. A page has 20 holders by default, and at most 1,000.',
    errors: ['TOKEN_NOT_FOUND', 'BUSY'],
    example: {
      input: { id: 7 },
      response: [{ userId: 3, username: 'luna', isBot: false, rank: 1, amount: HELD.amount }],
    },
  }),
  chart: query({
    access: 'anyone',
    inFairs: true,
    input: chartInput,
    cached: true,
    output: chart,
    rest: 'GET /api/charts/{id}',
    operationId: 'getChart',
    summary:
      'Returns a token’s candles, latest trades and statistics. Candles shorter than a minute are available only for the last hour.',
    errors: ['TOKEN_NOT_FOUND'],
    example: {
      input: { id: 7, timeframe: '1H', interval: '15s' },
      response: { ...CHART, timeframe: '1H', width: 15 },
    },
  }),
  rugStory: query({
    access: 'anyone',
    inFairs: true,
    input: byId,
    output: rugReport,
    rest: 'GET /api/tokens/{id}/rug',
    operationId: 'getRugReport',
    summary:
      'Returns the SOL that a token’s creator took with the rug pull, and the players who lost most. Fails with 404 if the token is not rugged.',
    errors: ['TOKEN_NOT_FOUND', 'NOT_FOUND'],
    example: {
      input: { id: 7 },
      response: {
        tokenId: 7,
        creator: TOKEN.creator,
        launchedAt: LAUNCHED_AT,
        ruggedAt: '2026-03-01T18:30:00.000Z',
        ruggedAmount: solText(realSol(VICTIM.pool)),
        totalTrades: 2,
        peakMarketCap: toMarketCap(VICTIM.pool),
        holders: 1,
        lost: solText(VICTIM.solIn),
        losers: [
          {
            rank: 1,
            userId: 5,
            username: 'rosa',
            isBot: false,
            amount: tokensText(VICTIM.tokensOut),
            cost: solText(VICTIM.solIn),
          },
        ],
      },
    },
  }),
  markedTrades: query({
    access: 'guestOrPlayer',
    inFairs: true,
    apiKey: 'market',
    input: byId,
    output: markedTradeList,
    rest: 'GET /api/tokens/{id}/trades/marked',
    operationId: 'listMarkedTrades',
    summary: 'Lists the latest trades of a token by you and by its creator, newest first, at most 200.',
    errors: ['TOKEN_NOT_FOUND'],
    example: { input: { id: 7 }, response: [{ seq: 1, side: 'buy', userId: 3, createdAt: TRADED_AT }] },
  }),
  launch: mutation({
    apiKey: 'trade',
    whenSuspended: 'repeats',
    limit: 'launch',
    input: launchInput,
    output: launchResult,
    rest: 'POST /api/tokens/launch',
    operationId: 'launchToken',
    status: 201,
    summary: 'Launches a token for 0.02 SOL, with an optional first buy in the same transaction.',
    errors: [...ORDER_ERRORS, ...TRADE_ERRORS, 'INSUFFICIENT_BALANCE', 'SPENDING_LIMIT_REACHED', 'FAIR_NOT_FOUND'],
    example: {
      input: {
        name: 'Paper Moon',
        symbol: 'MOON',
        emoji: '🌙',
        description: 'A token about a paper moon.',
        website: 'https://moon.example',
        initialBuyAmount: '1',
      },
      response: { id: 7, token: TOKEN },
    },
  }),
}
