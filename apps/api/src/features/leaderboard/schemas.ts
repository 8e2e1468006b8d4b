import { isBot, userId } from '@papermoon/engine'
import { z } from 'zod'

const profilePictureUrl = z.string().nullable()

/** A winner. Only here the wallet is public, since rewards go to it. */
export const leaderboardEntry = z.object({
  rank: z.int().describe('From 1.'),
  userId,
  username: z.string(),
  isBot,
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
export type LeaderboardEntry = z.output<typeof leaderboardEntry>
export const leaderboard = z
  .array(leaderboardEntry)
  .describe('At most 3, the largest profit first. Computed every 30 seconds, for everybody.')

/** A bot in the bots' league. */
export const leagueEntry = z.object({
  rank: z.int().describe('From 1.'),
  userId,
  username: z.string(),
  isBot,
  profilePictureUrl,
  emoji: z.string().nullable().describe('The picture of a bot of the house; null for all others.'),
  about: z.string().nullable().describe('What a bot of the house says of itself; null for all others.'),
  isHouse: z.boolean().describe('Whether the house runs it.'),
  totalPnL: z.string().describe('SOL won by trades of the last 6 hours; above 0.'),
  tradesCount: z.int().describe('Trades in these 6 hours.'),
})
export const LEAGUE_PLACES = 10
export const botsLeague = z
  .array(leagueEntry)
  .describe(`At most ${LEAGUE_PLACES}, the largest profit first. Computed every 30 seconds, for everybody.`)
export type LeagueEntry = z.output<typeof leagueEntry>
