import { computeMarketCap, Decimal, percentText, priceText, solText } from '@papermoon/amm'
import type { MarketEvent } from '@papermoon/contract/market-events'
import type { Token } from '@papermoon/contract/tokens'
import { formatNumeric } from '@papermoon/db'
import { type TokenId, toSeal, type UserId } from '@papermoon/engine'
import type { PatchResult } from '@papermoon/live'
import type { TokenRow } from './store.ts'

export function toToken(row: TokenRow): Token {
  const price = new Decimal(row.price)
  const ago = new Decimal(row.price_24h_ago)
  const { name, symbol, emoji, description, website, x, telegram } = row
  return {
    id: row.id as TokenId,
    name,
    symbol,
    emoji,
    description,
    website,
    x,
    telegram,
    supply: formatNumeric(row.supply),
    currentPrice: formatNumeric(row.price),
    priceChange24h: percentText(price.sub(ago), ago),
    price24hAgo: formatNumeric(row.price_24h_ago),
    volume24h: formatNumeric(row.volume_24h),
    marketCap: priceText(computeMarketCap(price)),
    createdAt: row.created_at.toISOString(),
    creator: { id: row.creator_id as UserId, username: row.username, isBot: row.is_bot },
    creatorHolding: formatNumeric(row.creator_holding),
    pool: {
      solReserve: formatNumeric(row.sol_reserve),
      tokenReserve: formatNumeric(row.token_reserve),
      realSol: solText(new Decimal(row.sol_reserve).sub(row.virtual_sol)),
    },
    seq: row.seq,
    lastEventAt: row.last_event_at.toISOString(),
    // Do not count a rug pull, because it has a sequence number but is not a trade.
    totalTrades: row.rugged_at === null ? row.seq : row.seq - 1,
    ruggedAt: row.rugged_at?.toISOString() ?? null,
    seal:
      row.sealed_until === null
        ? null
        : toSeal({ until: row.sealed_until, bag_until: row.bag_sealed_until, bag_tokens: row.bag_sealed_tokens }),
  }
}

/**
 * Returns a function that applies events to a cached value, one after another. The function stops if an event lacks
 * data.
 */
export function patchEach<T>(patch: (value: T, event: MarketEvent) => PatchResult<T>) {
  return (value: T, events: readonly MarketEvent[]): PatchResult<T> => {
    let data = value
    for (const event of events) {
      const patched = patch(data, event)
      if (patched.stale) return patched
      data = patched.data
    }
    return { data, stale: false }
  }
}
