import { priceText, solText } from '@papermoon/amm'
import type { Dashboard } from '@papermoon/contract/portfolio'
import type { UserId } from '@papermoon/engine'
import type { AppPart } from '../../context.ts'
import { inSnapshot } from '../../database/snapshot.ts'
import { type CreatedToken, findCreatedTokens } from './created-tokens.ts'
import { findHoldings, type Holding, sumHoldings, toPoolState, toShownHolding } from './holdings.ts'
import { findRealizedProfit } from './realized-profit.ts'

/** Reads a player's profit, holdings and launched tokens, from one snapshot. */
export async function getDashboard(app: AppPart<'db'>, userId: UserId): Promise<Dashboard> {
  return await inSnapshot(app.platform.db, async (snapshot) => {
    const realized = await findRealizedProfit(snapshot, userId)
    const { cashOut, cost } = await sumHoldings(snapshot, userId)
    const unrealized = cashOut.sub(cost)
    const holdings = await findHoldings(snapshot, userId, 'holder')
    const created = await findCreatedTokens(snapshot, userId)
    return {
      pnl: {
        total: solText(realized.total.add(unrealized)),
        realized: solText(realized.total),
        unrealized: solText(unrealized),
        realizedParts: {
          closedTrades: solText(realized.closedTrades),
          launchFees: solText(realized.launchFees),
          rugs: solText(realized.rugs),
        },
        unrealizedParts: { cashOutValue: solText(cashOut), cost: solText(cost) },
      },
      holdings: holdings.map(toHolding),
      createdTokens: created.map(toCreatedToken),
    }
  })
}

function toHolding(holding: Holding): Dashboard['holdings'][number] {
  const { price, pool, value, isListed } = holding
  return {
    ...toShownHolding(holding),
    currentPrice: priceText(price),
    pool: toPoolState(pool),
    currentValue: solText(value),
    isListed,
  }
}

function toCreatedToken({ id, name, symbol, emoji, ...token }: CreatedToken): Dashboard['createdTokens'][number] {
  return {
    tokenId: id,
    tokenName: name,
    tokenSymbol: symbol,
    emoji,
    createdAt: token.createdAt.toISOString(),
    currentPrice: priceText(token.price),
    liquiditySOL: solText(token.liquidity),
    ruggedAt: token.ruggedAt?.toISOString() ?? null,
    sealedUntil: token.sealedUntil?.toISOString() ?? null,
  }
}
