import { ID_MAX, isBot, poolState, tokenId, trade, userId } from '@papermoon/engine'
import { z } from 'zod'
import { dryRun, isDryRun, isReplayed, requestKey } from '../../validation/amounts.ts'
import { initialBuyAmount } from '../../validation/initial-buy-amount.ts'
import { hasHiddenCharacters, link, linkTo, optionalEmoji, optionalText, text } from '../../validation/text.ts'

const decimal = z.string().meta({ format: 'decimal' })
const time = z.iso.datetime()

/** The emoji of a token whose creator chose none: a coin. */
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

/** How volume is counted, wherever there is one. */
const VOLUME_TEXT =
  'buys and sales together, each with its fee: of a buy what was paid, of a sale what was received and the fee.'

/** The id of a token in an answer. */
const shownId = z.int().min(0).max(ID_MAX).brand<'TokenId'>().describe('0 only in the answer to a dry run.')

/** A token as every list and page shows it. */
export const token = z
  .object({
    id: shownId,
    name: z.string(),
    symbol: z.string(),
    emoji: z.string(),
    description: z.string().nullable(),
    website: z.string().nullable(),
    x: z.string().nullable(),
    telegram: z.string().nullable(),
    supply: decimal,
    currentPrice: decimal.describe('Spot price in SOL; 0 after a rug pull.'),
    priceChange24h: decimal.describe('Percent, 2 decimals; against the launch price on a token’s first day.'),
    price24hAgo: decimal.describe('What priceChange24h compares with.'),
    volume24h: decimal.describe(`SOL of the last 24 hours: ${VOLUME_TEXT}`),
    marketCap: decimal.describe('SOL: price × supply.'),
    createdAt: time,
    creator: z.object({ id: userId, username: z.string(), isBot }),
    creatorHolding: decimal.describe('Tokens that the creator holds.'),
    pool: poolState,
    seq: z.int().describe('Number of the last event of this token; the cursor for live updates.'),
    lastEventAt: time.describe('When it was last traded or rugged; before that, when it was launched.'),
    totalTrades: z.int(),
    ruggedAt: time.nullable(),
  })
  .meta({ id: 'Token' })
export type Token = z.output<typeof token>

export const sorts = ['newest', 'oldest', 'mcap-high', 'mcap-low', 'last-trade'] as const
export type Sort = (typeof sorts)[number]

export const listInput = z.object({
  search: z
    .string()
    .max(64)
    .refine((value) => !hasHiddenCharacters(value), 'must not hold invisible characters')
    .optional()
    .describe('Part of a name or symbol, in any case.'),
  sort: z.enum(sorts).default('newest'),
  rugged: z.enum(['show', 'hide']).default('show').describe('hide: without tokens whose creator pulled the rug.'),
  limit: z.int().min(1).max(PAGE_MAX).default(PAGE_MAX),
  cursor: z
    .string()
    .max(200)
    .nullish()
    .describe('Where the page before ended: its nextCursor; over REST, the address in its Link header has it.'),
  direction: z.literal('forward').optional().describe('What clients of endless lists add: there is no way back.'),
})
export const tokenPage = z.object({ tokens: z.array(token), nextCursor: z.string().nullable() })
export type TokenPage = z.output<typeof tokenPage>

export const byId = z.object({ id: tokenId })

/** Ids as a text, so that an address can hold them; duplicates are dropped. */
function idList(max: number) {
  return z
    .string()
    .max(max * 11)
    .regex(/^\d{1,10}(,\d{1,10})*$/, 'must be ids of tokens, separated by commas')
    .transform((text) => [...new Set(text.split(',').map(Number))])
    .pipe(z.array(tokenId).max(max, `must be at most ${max} ids`))
    .describe(`Ids of tokens, separated by commas, at most ${max}.`)
}

/** Max starred tokens of a player. */
export const TOKENS_BY_IDS_MAX = 200
export const tokensByIdsInput = z.object({ ids: idList(TOKENS_BY_IDS_MAX) })
export const tokenList = z.array(token)

/** Tokens a call; pages of the list and windows of cards are smaller. */
export const CARD_FIGURES_MAX = 48
export const cardFiguresInput = z.object({ ids: idList(CARD_FIGURES_MAX) })

/** Steps of a sparkline; it has one point more. */
export const SPARKLINE_STEPS = 24
/** Figures that a token's card shows beside the token. */
export const cardFigures = z
  .object({
    id: tokenId,
    holders: z.int().describe('Players who hold it now; of more than 1,000, about so many.'),
    areHoldersExact: z.boolean(),
    sparkline: z
      .array(decimal)
      .describe(
        'Prices in SOL at equal distances over the last 24 hours, or since the launch if that is later; 5 digits.',
      ),
  })
  .meta({ id: 'CardFigures' })
export type CardFigures = z.output<typeof cardFigures>
export const cardFiguresList = z.array(cardFigures)

/** Tokens per list. */
export const MOVERS_MAX = 8
export const movers = z
  .object({
    fresh: z.array(token).describe('The latest launches, newest first.'),
    rising: z
      .array(token)
      .describe(
        'Tokens that gained in 24 hours, of those that are traded most: by how many players other than the creator bought them lately, most first, then by the gain.',
      ),
    hot: z.array(token).describe('The tokens with the most volume lately, by their volume of 24 hours.'),
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

export const holder = z
  .object({ userId, username: z.string(), isBot, rank: z.int(), amount: decimal })
  .meta({ id: 'Holder' })
export type Holder = z.output<typeof holder>
export const holders = z.array(holder)
export const trades = z.array(trade)

/** Upper-cased before its length is checked: "ß" becomes two letters. */
const symbol = z
  .string()
  .meta({ minLength: 1, maxLength: SYMBOL_MAX })
  .transform((value) => value.toUpperCase())
  .pipe(text('symbol', SYMBOL_MAX))
  .describe(`The ticker: 1 to ${SYMBOL_MAX} characters, kept in capitals.`)

export const launchInput = z.object({
  name: text('name', NAME_MAX),
  symbol,
  emoji: optionalEmoji.describe(`Exactly one emoji; ${DEFAULT_EMOJI} where it is left out or empty.`),
  description: optionalText('description', DESCRIPTION_MAX),
  website: link,
  x: linkTo('x'),
  telegram: linkTo('telegram'),
  initialBuyAmount,
  requestId: requestKey.optional(),
  dryRun,
})
export type LaunchInput = z.output<typeof launchInput>
export const launchResult = z.object({ id: shownId, token, isReplayed, dryRun: isDryRun })
export type LaunchResult = z.output<typeof launchResult>

export const timeframes = ['1H', '24H', '7D', 'ALL'] as const
/** Most candles of an interval in one answer; the newest are kept. */
export const INTERVAL_CANDLES_MAX = 1_500
/** Most trades that candles of an interval are computed from; the newest are used. */
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
        `Width of a candle; left out, it follows from the timeframe. 1s, 5s and 15s: with timeframe 1H, from the newest ${INTERVAL_TRADES_MAX} trades, at most ${INTERVAL_CANDLES_MAX} candles. auto: as the timeframe says, and narrower for a token that is younger than the timeframe, where they may begin after its launch.`,
      ),
  })
  .refine(({ timeframe, interval }) => interval === undefined || interval === 'auto' || timeframe === '1H', {
    path: ['interval'],
    message: 'must come with timeframe 1H',
  })

export const candle = z
  .object({
    time: time.describe('Start of the candle.'),
    open: decimal,
    high: decimal,
    low: decimal,
    close: decimal,
    volume: decimal.describe(`SOL of the span of the candle: ${VOLUME_TEXT}`),
  })
  .meta({ id: 'Candle' })
export type Candle = z.output<typeof candle>

export const chart = z
  .object({
    timeframe: z.enum(timeframes),
    width: z.int().describe('Seconds a candle.'),
    candles: z.array(candle).describe('Oldest first; spans without a trade have none.'),
    ticks: z
      .array(z.object({ seq: z.int(), time, price: decimal, side: z.enum(['buy', 'sell']) }))
      .describe('The last 50 trades, oldest first.'),
    high: decimal.nullable(),
    low: decimal.nullable(),
    change24h: decimal.describe('Percent, 2 decimals.'),
    price24hAgo: decimal.describe('What change24h compares with.'),
    totalTrades: z.int(),
    seq: z.int(),
  })
  .meta({ id: 'Chart' })
export type Chart = z.output<typeof chart>

const loser = z
  .object({
    rank: z.int(),
    userId,
    username: z.string(),
    isBot,
    amount: decimal.describe('Tokens they are left with.'),
    cost: decimal.describe('What those cost them in SOL, fees included (average cost).'),
  })
  .meta({ id: 'RugLoser' })

/** How a token ended. */
export const rugReport = z
  .object({
    tokenId,
    creator: z.object({ id: userId, username: z.string(), isBot }).describe('Who pulled the rug.'),
    launchedAt: time,
    ruggedAt: time,
    ruggedAmount: decimal.describe('SOL drained from the pool.'),
    totalTrades: z.int(),
    peakMarketCap: decimal.describe('SOL: the highest there ever was.'),
    holders: z.int().describe('Players but the creator who are left with tokens.'),
    lost: decimal.describe('What those tokens cost all of them together, in SOL.'),
    losers: z.array(loser).describe(`Those it cost most, the creator left out, at most ${LOSERS_MAX}.`),
  })
  .meta({ id: 'RugReport' })
export type RugReport = z.output<typeof rugReport>

/** A trade that a chart marks. */
export const markedTrade = trade
  .pick({ seq: true, side: true, userId: true, createdAt: true })
  .meta({ id: 'MarkedTrade' })
export type MarkedTrade = z.output<typeof markedTrade>
export const markedTradeList = z.array(markedTrade)
