import { Decimal, solText } from '@papermoon/amm'
import { type Results, results } from '@papermoon/contract/users'
import type { UserId } from '@papermoon/engine'
import { defineTimedQuery } from '../../cache/query-cache.ts'
import type { AppPart } from '../../context.ts'
import { inSnapshot } from '../../database/snapshot.ts'
import { sumHoldings } from '../../holdings/holdings.ts'
import { findRealizedProfit } from '../../holdings/realized-profit.ts'
import { UserNotFoundError } from './errors.ts'
import { findClosedPositions, findRuggedHoldings } from './results-store.ts'
import { findPublicUser } from './store.ts'

/** Reads all trades of a player, so not again after each of them. */
const MAX_AGE_MS = 10_000

const resultsQuery = defineTimedQuery<UserId, Results>({
  name: 'results',
  schema: results,
  isFresh: (atMs, nowMs) => Math.abs(nowMs - atMs) < MAX_AGE_MS,
})

type Parts = AppPart<'db' | 'queryCache'>

/**
 * What a player won and lost with closed positions, and would with open ones. A position is closed when all that was
 * bought is sold, or when the token is rugged: a part that was sold shows no profit, since the rest may have paid for
 * it. Throws `UserNotFoundError`.
 */
export async function getResults(app: Parts, id: UserId): Promise<Results> {
  return await app.market.queryCache.get(resultsQuery, id, () => readResults(app, id))
}

async function readResults({ platform: { db } }: Parts, id: UserId): Promise<Results> {
  return await inSnapshot(db, async (snapshot) => {
    if ((await findPublicUser(snapshot, id)) === undefined) throw new UserNotFoundError()
    const closed = await findClosedPositions(snapshot, id)
    const held = await sumHoldings(snapshot, id)
    const rugged = await findRuggedHoldings(snapshot, id)
    const { rugs, launchFees } = await findRealizedProfit(snapshot, id)
    return {
      closedProfit: solText(new Decimal(closed.profit)),
      closedPositions: closed.positions,
      wonPositions: closed.won,
      openProfit: solText(held.cashOut.sub(held.cost).add(rugged.cost)),
      openPositions: held.count - rugged.count,
      notCounted: {
        partialSales: solText(held.cost.sub(rugged.cost).add(closed.openFlow)),
        rugs: solText(rugs),
        launchFees: solText(launchFees),
      },
    }
  })
}
