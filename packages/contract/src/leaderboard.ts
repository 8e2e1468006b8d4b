import { z } from 'zod'
import { LAUNCHED_AT, TOKEN_NAMED } from './example-market.ts'
import { userId } from './ids.ts'
import { query } from './procedure.ts'
import { playerFields, tokenFields } from './shapes.ts'

const profilePictureUrl = z.string().nullable()

/** A winner. Only here the wallet is public, since rewards go to it. */
export const leaderboardEntry = z
  .object({
    rank: z.int().describe('From 1.'),
    ...playerFields,
    profilePictureUrl,
    wallet: z.string().describe('Printable ASCII.'),
    totalPnL: z.string().describe('SOL won by trades of the last 6 hours; above 0.'),
    tradesCount: z.int().describe('Trades in these 6 hours.'),
    accountCreatedAt: z.iso.datetime(),
    counterparties: z.int().describe('Other players who traded the same tokens in these 6 hours.'),
    sourcePercent: z
      .int()
      .nullable()
      .describe(
        'How much of the profit is the SOL of one other player, whole percent: the profit with each token is laid on those who put SOL into its pool in these 6 hours, by how much. Null where nobody did.',
      ),
  })
  .meta({ id: 'LeaderboardEntry' })
export type LeaderboardEntry = z.output<typeof leaderboardEntry>
export const leaderboard = z
  .array(leaderboardEntry)
  .describe('At most 3, the largest profit first. Computed every 30 seconds, for everybody.')

/** One player's place on the leaderboard. */
export const leaderboardRank = z
  .object({
    userId,
    isRanked: z.boolean().describe('False for bots, which have their own league, and suspended accounts.'),
    rank: z.int().nullable().describe('From 1, among all players with a profit; null without a profit.'),
    players: z.int().describe('How many players have a profit.'),
    totalPnL: z
      .string()
      .nullable()
      .describe(
        'SOL won or lost by trades of the last 6 hours, by the rules of the leaderboard; null without a trade.',
      ),
    tradesCount: z.int().describe('Trades in these 6 hours.'),
    notCounted: z
      .object({
        unsold: z.string().describe('SOL that what was bought and is still held would bring above its price.'),
        rugs: z.string().describe('SOL taken out of one’s own pools, which one single player may have paid.'),
        launchFees: z.string().describe('SOL, 0 or below.'),
      })
      .nullable()
      .describe('What these 6 hours brought beside totalPnL; null for bots.'),
    behindBronze: z
      .string()
      .nullable()
      .describe(
        'SOL between this player and the third place; null on the podium, and while fewer than 3 have a profit.',
      ),
    lead: z
      .string()
      .nullable()
      .describe('On the podium, SOL ahead of the next place; null below it, and where nobody follows.'),
    computedAt: z.iso.datetime().describe('The moment of the leaderboard that this belongs to.'),
    giveaway: z
      .object({ since: z.iso.datetime(), until: z.iso.datetime() })
      .describe('The giveaway window of now: six hours from 00, 06, 12 or 18 h UTC. The leaderboard rolls instead.'),
  })
  .meta({ id: 'LeaderboardRank' })
export type LeaderboardRank = z.output<typeof leaderboardRank>

/** A bot in the bots' league. */
export const leagueEntry = z
  .object({
    rank: z.int().describe('From 1.'),
    ...playerFields,
    profilePictureUrl,
    emoji: z.string().nullable().describe('The picture of a bot of the house; null for all others.'),
    about: z.string().nullable().describe('What a bot of the house says of itself; null for all others.'),
    isHouse: z.boolean().describe('Whether the house runs it.'),
    totalPnL: z.string().describe('SOL won by trades of the last 6 hours; above 0.'),
    tradesCount: z.int().describe('Trades in these 6 hours.'),
  })
  .meta({ id: 'BotLeagueEntry' })
export const LEAGUE_PLACES = 10
export const botsLeague = z
  .array(leagueEntry)
  .describe(`At most ${LEAGUE_PLACES}, the largest profit first. Computed every 30 seconds, for everybody.`)
export type LeagueEntry = z.output<typeof leagueEntry>

const listedPlayer = { userId, username: z.string(), profilePictureUrl }
const rank = z.int().describe('From 1.')
/** How often the boards over all time are computed. */
const BOARDS_COMPUTED =
  'At most 10. Computed about once a minute, for everybody; without bots, deleted accounts and hidden tokens.'

export const allTimeBoard = z
  .array(
    z
      .object({
        rank,
        ...listedPlayer,
        totalPnL: z
          .string()
          .describe(
            'SOL won by all trades there were, by the rules of the leaderboard; above 0. Of the profit with each token, the part that its largest other payer paid for does not count, or a second account could pay for it.',
          ),
        tradesCount: z.int().describe('All trades.'),
      })
      .meta({ id: 'AllTimeEntry' }),
  )
  .describe(`The largest profit first. ${BOARDS_COMPUTED}`)
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
            'SOL that other players have in the pools of the creator’s open tokens, without the one who put in most; above 0.',
          ),
        backers: z.int().describe('Other players who hold any of these tokens.'),
        launched: z.int().describe('Tokens launched.'),
        rugged: z.int().describe('How many of those were rugged.'),
      })
      .meta({ id: 'CreatorEntry' }),
  )
  .describe(`The largest backing first. ${BOARDS_COMPUTED}`)
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
          .describe(
            'SOL of other players in the pool when the rug was pulled, without the one who put in most; above 0.',
          ),
        holders: z.int().describe('Other players who held the token.'),
        seq: z.int().describe('Number of the rug pull, with which the token’s page shows that moment: ?at='),
        ruggedAt: z.iso.datetime(),
      })
      .meta({ id: 'RugEntry' }),
  )
  .describe(`The most taken first. ${BOARDS_COMPUTED}`)
export type RugBoard = z.output<typeof rugBoard>

export const leaderboardProcedures = {
  bots: query({
    access: 'anyone',
    cached: true,
    output: botsLeague,
    rest: 'GET /api/leaderboard/bots',
    operationId: 'getBotLeague',
    summary: 'The bots’ league: the best bots of the last 6 hours, at most 10; computed every 30 seconds.',
    example: {
      answer: [
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
    summary: 'The best traders of all time, at most 10, without bots; computed about once a minute.',
    example: {
      answer: [
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
    summary: 'The creators whose open tokens other players back most, at most 10; computed about once a minute.',
    example: {
      answer: [
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
    summary: 'The rug pulls that took most from other players, at most 10; computed about once a minute.',
    example: {
      answer: [
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
    summary: 'A player’s place among all players with a profit in the last 6 hours, and the giveaway window of now.',
    errors: ['NOT_FOUND'],
    example: {
      input: { userId: 3 },
      answer: {
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
    summary: 'The best traders of the last 6 hours, at most 3, without bots; computed every 30 seconds.',
    example: {
      answer: [
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
