import { Decimal, priceText, type Sol, solText } from '@papermoon/amm'
import type { Dashboard } from '@papermoon/contract/portfolio'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { AppPart } from '../../context.ts'
import { inSnapshot, type Snapshot } from '../../database/snapshot.ts'
import { type CreatedToken, findCreatedTokens } from './created-tokens.ts'
import { findHoldings, type Holding, sumHoldings, toPoolState, toShownHolding } from './holdings.ts'

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

/** A player's realized profit in SOL; `total` is the sum of the other fields. */
interface RealizedProfit {
  readonly total: Sol
  /** SOL received in sales minus the cost of the sold tokens. */
  readonly closedTrades: Sol
  /** SOL that the player paid for launches, as zero or a negative number. */
  readonly launchFees: Sol
  readonly rugs: Sol
}

export async function findRealizedProfit(snapshot: Snapshot, userId: UserId): Promise<RealizedProfit> {
  const { rows } = await sql<{ realized_pnl: string; launch_fees: string; rugs: string }>`
    select a.realized_pnl, coalesce(sum(t.launch_fee), 0) as launch_fees, coalesce(sum(r.amount), 0) as rugs
      from accounts a
      left join tokens t on t.creator_id = a.user_id
      left join rugs r on r.token_id = t.id
     where a.user_id = ${userId} group by a.user_id`.execute(snapshot)
  const [row] = rows
  if (row === undefined) throw new Error('every player has an account')
  const total = new Decimal(row.realized_pnl)
  const launchFees = new Decimal(row.launch_fees).neg()
  const rugs = new Decimal(row.rugs)
  return { total, closedTrades: total.sub(launchFees).sub(rugs), launchFees, rugs }
}
