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
    .describe('Part of a token’s name or symbol, or of a username, in any case; every character means itself.'),
})
export type SearchInput = z.output<typeof searchInput>

const foundToken = z
  .object({
    ...tokenShown,
    currentPrice: decimal.describe('Spot price in SOL; 0 after a rug pull.'),
    marketCap: decimal.describe('SOL: price × supply.'),
    ruggedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'FoundToken' })
export type FoundToken = z.output<typeof foundToken>

const foundPlayer = z
  .object({
    ...player,
    emoji: z.string().nullable().describe('The picture of a bot of the house: one emoji. Null for all others.'),
    profilePictureUrl: z.string().nullable(),
  })
  .meta({ id: 'FoundPlayer' })

export const searchResult = z
  .object({
    tokens: z
      .array(foundToken)
      .describe(
        `At most ${TOKENS_MAX}: those with this symbol first, then those whose symbol or name begins so, then all others; among equals by market cap, rugged ones last.`,
      ),
    players: z
      .array(foundPlayer)
      .describe(
        `At most ${PLAYERS_MAX}: those whose name begins so first, then all others, each in alphabetical order.`,
      ),
  })
  .meta({ id: 'SearchResult' })
export type SearchResult = z.output<typeof searchResult>

/** A search costs up to 20 ms of a core; a page of 500 tokens, about the same, costs as many reads. */
const MORE_READS = 9

export const searchProcedures = {
  everything: query({
    access: 'anyone',
    reads: () => MORE_READS,
    input: searchInput,
    output: searchResult,
    rest: 'GET /api/search',
    operationId: 'search',
    summary: 'Tokens and players by a part of their names, the best matches first. Counts as ten reads.',
    example: {
      input: { query: 'lun' },
      answer: {
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
