import { isBot, tokenId, userId } from '@papermoon/engine'
import { z } from 'zod'

const decimal = z.string().meta({ format: 'decimal' })
const time = z.iso.datetime()

export const byId = z.object({ id: userId })

/** A player's public profile, without e-mail and wallet. */
export const profile = z
  .object({
    user: z.object({
      id: userId,
      username: z.string(),
      isBot,
      emoji: z.string().nullable().describe('The picture of a bot of the house: one emoji. Null for all others.'),
      about: z.string().nullable().describe('What a bot of the house says of itself. Null for all others.'),
      profilePictureUrl: z.string().nullable(),
      solBalance: decimal,
      createdAt: time,
    }),
    holdings: z
      .array(
        z.object({
          tokenId,
          tokenName: z.string(),
          tokenSymbol: z.string(),
          emoji: z.string(),
          amount: decimal,
          totalValue: decimal.describe('Mark value: amount × price in SOL.'),
          cashOutValue: decimal.describe('SOL that selling it all now would pay, after the fee.'),
          ruggedAt: time.nullable(),
        }),
      )
      .describe('The most valuable first, at most 1,000.'),
    createdTokens: z
      .array(
        z.object({
          id: tokenId,
          name: z.string(),
          symbol: z.string(),
          emoji: z.string(),
          createdAt: time,
          currentPrice: decimal,
          liquidity: decimal.describe('Real SOL in the pool.'),
          ruggedAt: time.nullable(),
        }),
      )
      .describe('Newest first, at most 1,000.'),
  })
  .meta({ id: 'PlayerProfile' })
export type Profile = z.output<typeof profile>

/** Record of the tokens that a player launched, without hidden ones. */
export const launchRecord = z
  .object({
    launched: z.int().describe('Tokens launched; the newest 1,000 are counted.'),
    rugged: z.int().describe('How many of those the player rugged.'),
    ruggedAmount: decimal.describe('SOL that those rug pulls drained.'),
  })
  .meta({ id: 'LaunchRecord' })
export type LaunchRecord = z.output<typeof launchRecord>

/** Profits and losses of a player's whole positions. */
export const results = z
  .object({
    closedProfit: decimal.describe(
      'SOL received less SOL paid, fees included, over all closed positions. A position is closed when all that was bought is sold, or when the token is rugged. Proceeds of rug pulls and launch fees are no part of it.',
    ),
    closedPositions: z.int(),
    wonPositions: z.int().describe('How many of those brought a profit.'),
    openProfit: decimal.describe('SOL that selling all that is held now would win or lose.'),
    openPositions: z.int().describe('Tokens held, without rugged ones.'),
  })
  .meta({ id: 'PlayerResults' })
export type Results = z.output<typeof results>

export const PLAYER_TRADES_PAGE = 20
const PLAYER_TRADES_MAX = 100
export const playerTradesInput = byId.extend({
  limit: z.int().min(1).max(PLAYER_TRADES_MAX).optional().describe(`${PLAYER_TRADES_PAGE}, if left out.`),
  cursor: z
    .int()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('The trades before the one with this `id`; over REST, the Link header has the address.'),
})
export type PlayerTradesInput = z.output<typeof playerTradesInput>
export const playerTrades = z
  .array(
    z.object({
      id: z.int(),
      seq: z.int().describe('The token’s sequence number of the trade.'),
      tokenId,
      tokenName: z.string(),
      tokenSymbol: z.string(),
      emoji: z.string(),
      side: z.enum(['buy', 'sell']),
      solAmount: decimal.describe('SOL paid, fee included, or received after it.'),
      tokenAmount: decimal,
      createdAt: time,
      ruggedAt: time.nullable(),
    }),
  )
  .describe('A page of a player’s trades, newest first; those of hidden tokens are left out.')
export type PlayerTrades = z.output<typeof playerTrades>

export const closedWinInput = z.object({ userId, tokenId })
/** A position of which nothing is held any more, over all of its trades, that won more than 10 %. */
const closedWin = z
  .object({
    user: z.object({ id: userId, username: z.string(), isBot }),
    token: z.object({ id: tokenId, name: z.string(), symbol: z.string(), emoji: z.string() }),
    paid: decimal.describe('SOL paid for all buys, fees included.'),
    received: decimal.describe('SOL received for all sales, after fees.'),
    profit: decimal.describe('SOL: received less paid.'),
    profitPercent: decimal.describe('Of what was paid; 2 decimals.'),
    trades: z.int(),
    beganAt: time.describe('The first buy.'),
    endedAt: time.describe('The last sale.'),
  })
  .meta({ id: 'ClosedWin' })
export type ClosedWin = z.output<typeof closedWin>
export const closedWinResult = z.object({ win: closedWin.nullable() }).meta({ id: 'ClosedWinAnswer' })
