import { computeMarketCap, Decimal, priceText } from '@papermoon/amm'
import {
  type FoundToken,
  PLAYERS_MAX,
  type SearchInput,
  type SearchResult,
  TOKENS_MAX,
} from '@papermoon/contract/search'
import { formatNumeric } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import type { App } from '../../context.ts'
import { type FoundTokenRow, findPlayersByName, findTokensByName } from './store.ts'

/** Tokens and players by a part of their names. */
export async function searchEverything({ platform: { db } }: App, { query }: SearchInput): Promise<SearchResult> {
  const [tokens, players] = await Promise.all([
    findTokensByName(db, query, TOKENS_MAX),
    findPlayersByName(db, query, PLAYERS_MAX),
  ])
  return {
    tokens: tokens.map(toFoundToken),
    players: players.map(({ id, username, is_bot, emoji, profile_picture_url }) => ({
      id: id as UserId,
      username,
      isBot: is_bot,
      emoji,
      profilePictureUrl: profile_picture_url,
    })),
  }
}

function toFoundToken({ id, name, symbol, emoji, price, rugged_at }: FoundTokenRow): FoundToken {
  return {
    id: id as TokenId,
    name,
    symbol,
    emoji,
    currentPrice: formatNumeric(price),
    marketCap: priceText(computeMarketCap(new Decimal(price))),
    ruggedAt: rugged_at?.toISOString() ?? null,
  }
}
