import { z } from 'zod'
import { HELD, TOKEN } from './example-market.ts'

import { query } from './procedure.ts'
import { decimal, player, tokenShown } from './shapes.ts'
import { searchText } from './text.ts'

export const QUERY_MAX = 64
export const TOKENS_MAX = 8
export const PLAYERS_MAX = 6

export const searchInput = z.object({
  query: searchText(QUERY_MAX)
    .meta({ minLength: 1, maxLength: QUERY_MAX })
    .refine((value) => value !== '', 'must not be empty')
    .describe(
      'Part of a token’s name or symbol, or of a username. The search ignores case. Wildcards are not supported.',
    ),
})
export type SearchInput = z.output<typeof searchInput>

const foundToken = z
  .object({
    ...tokenShown,
    currentPrice: decimal.describe('Spot price in SOL per token, or 0 after a rug pull.'),
    marketCap: decimal.describe('Price × supply, in SOL.'),
    ruggedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'FoundToken' })
export type FoundToken = z.output<typeof foundToken>

const foundPlayer = z
  .object({
    ...player,
    emoji: z.string().nullable().describe('Emoji of a house bot. Null for other players.'),
    profilePictureUrl: z.string().nullable(),
  })
  .meta({ id: 'FoundPlayer' })

export const searchResult = z
  .object({
    tokens: z
      .array(foundToken)
      .describe(
        `At most ${TOKENS_MAX} tokens. Exact symbol matches come first, then symbols and names that begin with the query, then others, each sorted by market cap. Rugged tokens come last.`,
      ),
    players: z
      .array(foundPlayer)
      .describe(
        `At most ${PLAYERS_MAX} players. Names that begin with the query come first, then others, each in alphabetical order.`,
      ),
  })
  .meta({ id: 'SearchResult' })
export type SearchResult = z.output<typeof searchResult>

/** Number of extra reads that a search counts as in the rate limit. A search takes up to 20 ms on one core. */
const MORE_READS = 9

export const searchProcedures = {
  everything: query({
    access: 'anyone',
    reads: () => MORE_READS,
    input: searchInput,
    output: searchResult,
    rest: 'GET /api/search',
    operationId: 'search',
    summary:
      'Finds tokens and players by part of their names, best matches first. Counts as ten calls for the rate limit.',
    example: {
      input: { query: 'lun' },
      response: {
        tokens: [
          {
            id: 7,
            name: 'Lunar Paper',
            symbol: 'LUNA',
            emoji: '🌙',
            currentPrice: HELD.currentPrice,
            marketCap: TOKEN.marketCap,
            ruggedAt: null,
          },
        ],
        players: [{ id: 3, username: 'luna', isBot: false, emoji: null, profilePictureUrl: null }],
      },
    },
  }),
}
