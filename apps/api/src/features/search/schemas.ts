import { isBot, tokenId, userId } from '@papermoon/engine'
import { z } from 'zod'
import { hasHiddenCharacters } from '../../validation/text.ts'

export const QUERY_MAX = 64
export const TOKENS_MAX = 8
export const PLAYERS_MAX = 6

const decimal = z.string().meta({ format: 'decimal' })

export const searchInput = z.object({
  query: z
    .string()
    .meta({ minLength: 1, maxLength: QUERY_MAX })
    .max(QUERY_MAX)
    .refine((value) => !hasHiddenCharacters(value), 'must not hold invisible characters')
    .transform((value) => value.normalize('NFC').trim())
    .refine((value) => value !== '', 'must not be empty')
    .describe('Part of a token’s name or symbol, or of a username, in any case; every character means itself.'),
})
export type SearchInput = z.output<typeof searchInput>

const foundToken = z
  .object({
    id: tokenId,
    name: z.string(),
    symbol: z.string(),
    emoji: z.string(),
    currentPrice: decimal.describe('Spot price in SOL; 0 after a rug pull.'),
    marketCap: decimal.describe('SOL: price × supply.'),
    ruggedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'FoundToken' })
export type FoundToken = z.output<typeof foundToken>

const foundPlayer = z
  .object({
    id: userId,
    username: z.string(),
    isBot,
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
