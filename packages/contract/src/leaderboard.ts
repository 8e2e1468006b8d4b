import { z } from 'zod'
import { LAUNCHED_AT, TOKEN_NAMED } from './example-market.ts'
import { userId } from './ids.ts'
import { query } from './procedure.ts'
import { playerFields, tokenFields } from './shapes.ts'

const profilePictureUrl = z.string().nullable()

/** A winner on the leaderboard. A wallet is public only on the leaderboard, because it gets the reward. */
export const leaderboardEntry = z
  .object({
    rank: z.int().describe('Rank, from 1.'),
    ...playerFields,
    profilePictureUrl,
    wallet: z.string().describe('Wallet for giveaway rewards.'),
    totalPnL: z.string().describe('Profit of the last 6 hours in SOL, above 0.'),
    tradesCount: z.int().describe('Number of trades in the last 6 hours.'),
    accountCreatedAt: z.iso.datetime(),
    counterparties: z.int().describe('Number of other players who traded the same tokens in the last 6 hours.'),
    sourcePercent: z
      .int()
      .nullable()
      .describe(
        'Largest part of the profit that came from a single other player, in whole percent. Null if there is none. A token’s profit is attributed to the players who put SOL into its pool in the last 6 hours, in proportion.',
      ),
  })
  .meta({ id: 'LeaderboardEntry' })
export type LeaderboardEntry = z.output<typeof leaderboardEntry>
export const leaderboard = z
  .array(leaderboardEntry)
  .describe('The 3 best traders, largest profit first. The list is computed every 30 seconds.')

export const leaderboardRank = z
  .object({
    userId,
    isRanked: z.boolean().describe('Whether the player can be ranked. Bots and suspended accounts cannot.'),
    rank: z.int().nullable().describe('Rank among all players with a profit. Null if the player has no profit.'),
    players: z.int().describe('Number of players with a profit.'),
    totalPnL: z
      .string()
      .nullable()
      .describe('Profit or loss of the last 6 hours in SOL by the leaderboard’s rules, or null without a trade.'),
    tradesCount: z.int().describe('Number of trades in the last 6 hours.'),
    notCounted: z
      .object({
        unsold: z.string().describe('Unrealized profit of tokens bought in the last 6 hours and still held, in SOL.'),
        rugs: z.string().describe('SOL from the player’s own rug pulls, not counted as profit.'),
        launchFees: z.string().describe('Launch fees in SOL, 0 or negative.'),
      })
      .nullable()
      .describe('Profit or loss of the last 6 hours that the leaderboard does not count. Null for bots.'),
    behindBronze: z
      .string()
      .nullable()
      .describe('SOL that the player lacks for rank 3. Null in the top 3, or if fewer than 3 players have a profit.'),
    lead: z
      .string()
      .nullable()
      .describe('SOL by which the player leads the next rank. Null outside the top 3, or if there is no next player.'),
    computedAt: z.iso.datetime().describe('When the leaderboard was computed.'),
    giveaway: z
      .object({ since: z.iso.datetime(), until: z.iso.datetime() })
      .describe(
        'The current giveaway window of six hours, from 00:00, 06:00, 12:00 or 18:00 UTC. The leaderboard always covers the last 6 hours.',
      ),
  })
  .meta({ id: 'LeaderboardRank' })
export type LeaderboardRank = z.output<typeof leaderboardRank>

export const leagueEntry = z
  .object({
    rank: z.int().describe('Rank, from 1.'),
    ...playerFields,
    profilePictureUrl,
    emoji: z.string().nullable().describe('Emoji of a house bot. Null for other players.'),
    about: z.string().nullable().describe('Description of a house bot, or null for other players.'),
    isHouse: z.boolean().describe('Whether the player is a house bot.'),
    totalPnL: z.string().describe('Profit of the last 6 hours in SOL, above 0.'),
    tradesCount: z.int().describe('Number of trades in the last 6 hours.'),
  })
  .meta({ id: 'BotLeagueEntry' })
export const LEAGUE_PLACES = 10
export const botsLeague = z
  .array(leagueEntry)
  .describe(`The best bots, at most ${LEAGUE_PLACES}, largest profit first. The list is computed every 30 seconds.`)
export type LeagueEntry = z.output<typeof leagueEntry>

const listedPlayer = { userId, username: z.string(), profilePictureUrl }
const rank = z.int().describe('Rank, from 1.')
const BOARD_ROWS = 'At most 10 rug pulls, without those of bots, deleted accounts and hidden tokens.'

export const allTimeBoard = z
  .array(
    z
      .object({
        rank,
        ...listedPlayer,
        totalPnL: z
          .string()
          .describe(
            'Profit over all time in SOL by the leaderboard’s rules, always above 0. The profit from each token’s largest payer does not count.',
          ),
        tradesCount: z.int().describe('Number of all trades.'),
      })
      .meta({ id: 'AllTimeEntry' }),
  )
  .describe(`The largest profit comes first. ${BOARD_ROWS}`)
export type AllTimeBoard = z.output<typeof allTimeBoard>

export const creatorsBoard = z
  .array(
    z
      .object({
        rank,
        ...listedPlayer,
        backing: z
          .string()
          .describe(
            'SOL of other players in the pools of the creator’s open tokens, without the player who paid most. Above 0.',
          ),
        backers: z.int().describe('Number of other players who hold the creator’s open tokens.'),
        launched: z.int().describe('Number of tokens launched.'),
        rugged: z.int().describe('Number of launched tokens that were rugged.'),
      })
      .meta({ id: 'CreatorEntry' }),
  )
  .describe(`Creators are sorted by backing, largest first. ${BOARD_ROWS}`)
export type CreatorsBoard = z.output<typeof creatorsBoard>

export const rugBoard = z
  .array(
    z
      .object({
        rank,
        ...tokenFields,
        creator: z.object(listedPlayer),
        taken: z
          .string()
          .describe('SOL of other players in the pool at the rug pull, without the player who paid most. Above 0.'),
        holders: z.int().describe('Number of other players who held the token.'),
        seq: z
          .int()
          .describe(
            'Sequence number of the rug pull. To open the token’s page at the rug pull, send this number in the query parameter `at`.',
          ),
        ruggedAt: z.iso.datetime(),
      })
      .meta({ id: 'RugEntry' }),
  )
  .describe(`The largest amount comes first. ${BOARD_ROWS}`)
export type RugBoard = z.output<typeof rugBoard>

export const leaderboardProcedures = {
  bots: query({
    access: 'anyone',
    cached: true,
    output: botsLeague,
    rest: 'GET /api/leaderboard/bots',
    operationId: 'getBotLeague',
    summary: 'Lists the 10 best bots of the last 6 hours. The list is computed every 30 seconds.',
    example: {
      response: [
        {
          rank: 1,
          userId: 12,
          username: 'Foxy Fern',
          isBot: true,
          profilePictureUrl: null,
          emoji: '🦊',
          about: 'I buy what everybody buys, a little later.',
          isHouse: true,
          totalPnL: '4.25',
          tradesCount: 211,
        },
      ],
    },
  }),
  allTime: query({
    access: 'anyone',
    cached: true,
    output: allTimeBoard,
    rest: 'GET /api/leaderboard/all-time',
    operationId: 'getAllTimeBoard',
    summary: 'Lists the 10 best traders of all time, without bots. The list is computed about once a minute.',
    example: {
      response: [
        { rank: 1, userId: 3, username: 'luna', profilePictureUrl: null, totalPnL: '212.75', tradesCount: 1_408 },
      ],
    },
  }),
  creators: query({
    access: 'anyone',
    cached: true,
    output: creatorsBoard,
    rest: 'GET /api/leaderboard/creators',
    operationId: 'getCreatorBoard',
    summary:
      'Lists the 10 creators whose open tokens hold the most SOL of other players. The list is computed about once a minute.',
    example: {
      response: [
        {
          rank: 1,
          userId: 3,
          username: 'luna',
          profilePictureUrl: null,
          backing: '84.5',
          backers: 31,
          launched: 4,
          rugged: 0,
        },
      ],
    },
  }),
  rugs: query({
    access: 'anyone',
    cached: true,
    output: rugBoard,
    rest: 'GET /api/leaderboard/rugs',
    operationId: 'getRugBoard',
    summary: 'Lists the 10 rug pulls that took the most from other players. The list is computed about once a minute.',
    example: {
      response: [
        {
          rank: 1,
          ...TOKEN_NAMED,
          creator: { userId: 3, username: 'luna', profilePictureUrl: null },
          taken: '34.2',
          holders: 12,
          seq: 207,
          ruggedAt: LAUNCHED_AT,
        },
      ],
    },
  }),
  rank: query({
    access: 'anyone',
    input: z.object({ userId }),
    cached: true,
    output: leaderboardRank,
    rest: 'GET /api/leaderboard/rank/{userId}',
    operationId: 'getLeaderboardRank',
    summary:
      'Returns a player’s rank among all players with a profit in the last 6 hours, and the current giveaway window.',
    errors: ['NOT_FOUND'],
    example: {
      input: { userId: 3 },
      response: {
        userId: 3,
        isRanked: true,
        rank: 7,
        players: 41,
        totalPnL: '2.4',
        tradesCount: 12,
        notCounted: { unsold: '0.4', rugs: '0', launchFees: '-0.02' },
        behindBronze: '3.1',
        lead: null,
        computedAt: LAUNCHED_AT,
        giveaway: { since: '2026-01-05T12:00:00.000Z', until: '2026-01-05T18:00:00.000Z' },
      },
    },
  }),
  get: query({
    access: 'anyone',
    cached: true,
    output: leaderboard,
    rest: 'GET /api/leaderboard',
    operationId: 'getLeaderboard',
    summary: 'Lists the 3 best traders of the last 6 hours, without bots. The list is computed every 30 seconds.',
    example: {
      response: [
        {
          rank: 1,
          userId: 3,
          username: 'luna',
          isBot: false,
          profilePictureUrl: null,
          wallet: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
          totalPnL: '12.5',
          tradesCount: 48,
          accountCreatedAt: LAUNCHED_AT,
          counterparties: 9,
          sourcePercent: 31,
        },
      ],
    },
  }),
}
