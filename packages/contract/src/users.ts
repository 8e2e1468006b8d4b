import { z } from 'zod'
import { CREATOR, HELD, LAUNCHED_AT, TOKEN_NAMED, TOKEN_NAMES, TRADED_AT, WORTH } from './example-market.ts'
import { tokenId, userId } from './ids.ts'
import { sealedUntil } from './market-events.ts'
import { query } from './procedure.ts'
import { decimal, NEXT_PAGE, player, time, tokenFields, tokenShown } from './shapes.ts'

export const byId = z.object({ id: userId })

/** A player's public profile, without email address and wallet. */
export const profile = z
  .object({
    user: z.object({
      ...player,
      emoji: z.string().nullable().describe('Emoji of a house bot. Null for other players.'),
      about: z.string().nullable().describe('Description of a house bot, or null for other players.'),
      profilePictureUrl: z.string().nullable(),
      solBalance: decimal,
      createdAt: time,
    }),
    holdings: z
      .array(
        z.object({
          ...tokenFields,
          amount: decimal,
          totalValue: decimal.describe('Amount × price in SOL.'),
          cashOutValue: decimal.describe('SOL that selling the whole holding now would pay, after the fee.'),
          ruggedAt: time.nullable(),
          sealedUntil,
        }),
      )
      .describe('Most valuable holdings first, at most 1,000.'),
    createdTokens: z
      .array(
        z.object({
          ...tokenShown,
          createdAt: time,
          currentPrice: decimal,
          liquidity: decimal.describe('Real SOL in the pool.'),
          ruggedAt: time.nullable(),
          sealedUntil,
        }),
      )
      .describe('The newest 1,000 tokens, newest first.'),
  })
  .meta({ id: 'PlayerProfile' })
export type Profile = z.output<typeof profile>

/** A summary of the tokens that a player launched, without hidden tokens. */
export const launchRecord = z
  .object({
    launched: z.int().describe('Number of tokens launched, among the newest 1,000.'),
    rugged: z.int().describe('Number of launched tokens that the player rugged.'),
    ruggedAmount: decimal.describe('SOL that the player’s rug pulls paid.'),
    fairGame: z.int(),
    scoundrel: z.int(),
  })
  .meta({ id: 'LaunchRecord' })
export type LaunchRecord = z.output<typeof launchRecord>

export const results = z
  .object({
    closedProfit: decimal.describe(
      'SOL received − SOL paid, including fees, over all closed positions. A position is closed when all bought tokens are sold or the token is rugged. SOL from the player’s own rug pulls and launch fees do not count.',
    ),
    closedPositions: z.int(),
    wonPositions: z.int().describe('Number of closed positions with a profit.'),
    openProfit: decimal.describe('Profit or loss in SOL if the player sold all holdings now.'),
    openPositions: z.int().describe('Number of tokens held that are not rugged.'),
    notCounted: z
      .object({
        partialSales: decimal.describe('Profit or loss in SOL from partial sales of open positions.'),
        rugs: decimal.describe('SOL from the player’s own rug pulls, not counted as profit.'),
        launchFees: decimal.describe('Launch fees in SOL, 0 or negative.'),
      })
      .describe('Parts of the total profit that closedProfit and openProfit do not include.'),
  })
  .meta({ id: 'PlayerResults' })
export type Results = z.output<typeof results>

export const PLAYER_TRADES_PAGE = 20
const PLAYER_TRADES_MAX = 100
export const playerTradesInput = byId.extend({
  limit: z.int().min(1).max(PLAYER_TRADES_MAX).optional().describe(`Default: ${PLAYER_TRADES_PAGE}.`),
  cursor: z.int().min(1).max(Number.MAX_SAFE_INTEGER).optional().describe(NEXT_PAGE),
})
export type PlayerTradesInput = z.output<typeof playerTradesInput>
export const playerTrades = z
  .array(
    z.object({
      id: z.int(),
      seq: z.int().describe('Sequence number of the trade among the token’s events.'),
      ...tokenFields,
      side: z.enum(['buy', 'sell']),
      solAmount: decimal.describe('SOL that a buyer paid with the fee, or a seller received after the fee.'),
      tokenAmount: decimal,
      createdAt: time,
      ruggedAt: time.nullable(),
    }),
  )
  .describe('The player’s trades, newest first, without trades of hidden tokens.')
export type PlayerTrades = z.output<typeof playerTrades>

export const closedWinInput = z.object({ userId, tokenId })
/** A position that the player sold completely, with a profit of more than 10 % over all its trades. */
const closedWin = z
  .object({
    user: z.object(player),
    token: z.object(tokenShown),
    paid: decimal.describe('SOL paid for all buys, including fees.'),
    received: decimal.describe('SOL received for all sales, after fees.'),
    profit: decimal.describe('Profit or loss in SOL (received − paid).'),
    profitPercent: decimal.describe('`profit` as a percentage of `paid`, with 2 decimals.'),
    trades: z.int(),
    beganAt: time.describe('Time of the first buy.'),
    endedAt: time.describe('Time of the last sale.'),
  })
  .meta({ id: 'ClosedWin' })
export type ClosedWin = z.output<typeof closedWin>
const closedPosition = closedWin
  .extend({ isRugged: z.boolean().describe('Whether the token was rugged while the player held some.') })
  .meta({ id: 'ClosedPosition' })
export type ClosedPosition = z.output<typeof closedPosition>
export const closedPositionResult = z
  .object({ position: closedPosition.nullable() })
  .meta({ id: 'ClosedPositionAnswer' })

const houseBot = z
  .object({
    plays: z.string().describe('The bot’s strategy, in one sentence.'),
    temper: z.object({
      bag: decimal.describe('Maximum SOL that the bot puts into one token.'),
      gain: decimal.describe('Gain in percent at which the bot sells.'),
      loss: decimal.describe('Loss in percent at which the bot sells.'),
      waitMinutes: z.int().describe('Minutes that the bot waits for this gain or loss.'),
    }),
    house: z
      .object({
        stranger: decimal.describe('Maximum loss in another player’s token, not counting fees that others paid.'),
        kept: decimal.describe('Maximum loss in another player’s token while its liquidity is sealed.'),
        token: decimal.describe('Maximum loss in any token, including fees.'),
        day: decimal.describe('Maximum loss per day, over all tokens.'),
        leaveMinutes: z.int().describe('How many minutes before a seal ends the bots start to sell.'),
      })
      .describe('Maximum SOL that all house bots together may lose.'),
  })
  .meta({ id: 'HouseBot' })
export type HouseBot = z.output<typeof houseBot>
export const houseBotResult = z.object({ bot: houseBot.nullable() }).meta({ id: 'HouseBotAnswer' })

/** Number of extra reads that a call counts as in the rate limit, because it sums all trades of a position. */
const MORE_READS = 9

/** Returns the cursor of the next page, or null after the last page. */
export function findNextPlayerTradeCursor(trades: PlayerTrades, limit = PLAYER_TRADES_PAGE): number | null {
  return trades.length < limit ? null : (trades.at(-1)?.id ?? null)
}

export const usersProcedures = {
  profile: query({
    access: 'anyone',
    input: byId,
    cached: true,
    output: profile,
    rest: 'GET /api/users/{id}/profile',
    operationId: 'getPlayerProfile',
    summary: 'Returns a player’s profile, holdings and launched tokens.',
    errors: ['NOT_FOUND'],
    example: {
      input: { id: 3 },
      response: {
        user: {
          ...CREATOR,
          emoji: null,
          about: null,
          profilePictureUrl: null,
          solBalance: '98.98',
          createdAt: LAUNCHED_AT,
        },
        holdings: [{ ...TOKEN_NAMED, amount: HELD.amount, ...WORTH, ruggedAt: null, sealedUntil: null }],
        createdTokens: [
          {
            id: 7,
            ...TOKEN_NAMES,
            createdAt: LAUNCHED_AT,
            currentPrice: HELD.currentPrice,
            liquidity: '0.997',
            ruggedAt: null,
            sealedUntil: null,
          },
        ],
      },
    },
  }),
  results: query({
    access: 'anyone',
    input: byId,
    cached: true,
    output: results,
    rest: 'GET /api/users/{id}/results',
    operationId: 'getPlayerResults',
    summary:
      'Returns a player’s profit and loss from closed and open positions. The response is at most 10 seconds old.',
    errors: ['NOT_FOUND'],
    example: {
      input: { id: 3 },
      response: {
        closedProfit: '7.25',
        closedPositions: 9,
        wonPositions: 4,
        openProfit: '-0.5',
        openPositions: 2,
        notCounted: { partialSales: '0.4', rugs: '0', launchFees: '-0.02' },
      },
    },
  }),
  trades: query({
    access: 'anyone',
    input: playerTradesInput,
    cached: true,
    output: playerTrades,
    rest: 'GET /api/users/{id}/trades',
    operationId: 'listPlayerTrades',
    nextCursor: findNextPlayerTradeCursor,
    summary: 'Lists a player’s trades, newest first. A page has 20 trades by default, and at most 100.',
    errors: ['NOT_FOUND'],
    example: {
      input: { id: 3, limit: 20 },
      response: [
        {
          id: 71,
          seq: 12,
          ...TOKEN_NAMED,
          side: 'buy',
          solAmount: '2.5',
          tokenAmount: '71241234.5',
          createdAt: LAUNCHED_AT,
          ruggedAt: null,
        },
      ],
    },
  }),
  launchRecord: query({
    access: 'anyone',
    input: byId,
    cached: true,
    output: launchRecord,
    rest: 'GET /api/users/{id}/launch-record',
    operationId: 'getLaunchRecord',
    summary: 'Returns how many tokens a player launched and rugged, and the SOL gained from rug pulls.',
    errors: ['NOT_FOUND'],
    example: {
      input: { id: 3 },
      response: { launched: 4, rugged: 1, ruggedAmount: '12.5', fairGame: 0, scoundrel: 1 },
    },
  }),
  closedWin: query({
    access: 'anyone',
    reads: () => MORE_READS,
    input: closedWinInput,
    output: z.object({ win: closedWin.nullable() }).meta({ id: 'ClosedWinAnswer' }),
    rest: 'GET /api/users/{userId}/wins/{tokenId}',
    operationId: 'getClosedWin',
    summary:
      'Returns a player’s profit from a token that the player has sold completely, or null if the profit is 10 % or less. Counts as ten calls for the rate limit.',
    example: {
      input: { userId: 3, tokenId: 7 },
      response: {
        win: {
          user: CREATOR,
          token: { id: 7, ...TOKEN_NAMES },
          paid: '2.5',
          received: '4.125',
          profit: '1.625',
          profitPercent: '65.00',
          trades: 3,
          beganAt: LAUNCHED_AT,
          endedAt: TRADED_AT,
        },
      },
    },
  }),
  houseBot: query({
    access: 'anyone',
    input: byId,
    output: houseBotResult,
    rest: 'GET /api/users/{id}/house-bot',
    operationId: 'getHouseBot',
    summary: 'Returns the strategy of a house bot and the maximum loss of all house bots, or null for other players.',
    errors: ['NOT_FOUND'],
    example: {
      input: { id: 3 },
      response: {
        bot: {
          plays: 'Buys tokens that rise, and sells when they fall.',
          temper: { bag: '1.5', gain: '25', loss: '8', waitMinutes: 40 },
          house: { stranger: '0.02', kept: '0.25', token: '0.5', day: '0.8', leaveMinutes: 12 },
        },
      },
    },
  }),
  closedPosition: query({
    access: 'anyone',
    reads: () => MORE_READS,
    input: closedWinInput,
    output: closedPositionResult,
    rest: 'GET /api/users/{userId}/closed/{tokenId}',
    operationId: 'getClosedPosition',
    summary:
      'Returns a player’s profit or loss from a token that the player has sold completely or that was rugged. Counts as ten calls for the rate limit.',
    example: {
      input: { userId: 3, tokenId: 7 },
      response: {
        position: {
          user: CREATOR,
          token: { id: 7, ...TOKEN_NAMES },
          paid: '2.5',
          received: '0',
          profit: '-2.5',
          profitPercent: '-100.00',
          trades: 1,
          beganAt: LAUNCHED_AT,
          endedAt: TRADED_AT,
          isRugged: true,
        },
      },
    },
  }),
}
