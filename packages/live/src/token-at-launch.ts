import { launchPool, marketCap, priceText, SUPPLY, solText, spotPrice, tokensText } from '@papermoon/amm'
import type { TokenLaunchedEvent } from '@papermoon/contract/market-events'
import type { Token } from '@papermoon/contract/tokens'

/** Builds a token from its launch event. The token's page fetches the missing data. */
export function tokenAtLaunch(event: TokenLaunchedEvent): Token {
  const pool = launchPool()
  const price = priceText(spotPrice(pool))
  return {
    id: event.tokenId,
    name: event.name,
    symbol: event.symbol,
    emoji: event.emoji,
    description: null,
    website: null,
    x: null,
    telegram: null,
    supply: tokensText(SUPPLY),
    currentPrice: price,
    priceChange24h: '0.00',
    price24hAgo: price,
    volume24h: '0',
    marketCap: solText(marketCap(pool)),
    createdAt: event.createdAt,
    creator: event.creator,
    creatorHolding: '0',
    pool: { solReserve: solText(pool.sol), tokenReserve: tokensText(pool.tokens), realSol: '0' },
    seq: 0,
    lastEventAt: event.createdAt,
    totalTrades: 0,
    ruggedAt: null,
    seal: null,
  }
}
