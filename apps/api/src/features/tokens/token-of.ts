import { Decimal, marketCapOf, percentText, priceText, solText } from '@papermoon/amm'
import { figureText } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import type { Token } from './schemas.ts'
import type { TokenRow } from './store.ts'

/** A token's row as everybody sees it. */
export function tokenOf(row: TokenRow): Token {
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
    supply: figureText(row.supply),
    currentPrice: figureText(row.price),
    priceChange24h: percentText(price.sub(ago), ago),
    price24hAgo: figureText(row.price_24h_ago),
    volume24h: figureText(row.volume_24h),
    marketCap: priceText(marketCapOf(price)),
    createdAt: row.created_at.toISOString(),
    creator: { id: row.creator_id as UserId, username: row.username },
    creatorHolding: figureText(row.creator_holding),
    pool: {
      solReserve: figureText(row.sol_reserve),
      tokenReserve: figureText(row.token_reserve),
      realSol: solText(new Decimal(row.sol_reserve).sub(row.virtual_sol)),
    },
    seq: row.seq,
    // A rug pull takes the last number and is no trade.
    totalTrades: row.rugged_at === null ? row.seq : row.seq - 1,
    ruggedAt: row.rugged_at?.toISOString() ?? null,
  }
}
