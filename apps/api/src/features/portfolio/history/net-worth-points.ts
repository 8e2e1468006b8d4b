import { Decimal, solText } from '@papermoon/amm'
import { type NetWorth, WORTH_PARTS_MAX } from '@papermoon/contract/portfolio'
import type { UserId } from '@papermoon/engine'
import type { AppPart } from '../../../context.ts'
import { inSnapshot } from '../../../database/snapshot.ts'
import { CREATED_MAX } from '../created-tokens.ts'
import { findNetWorth } from '../net-worth.ts'
import { findLargestParts, findOpenPools } from './history-store.ts'
import { findGrants } from './span-store.ts'

/** Reads a player's exact net worth in SOL and its parts, from one snapshot. */
export async function readNetWorth(app: AppPart<'db' | 'clock'>, userId: UserId): Promise<NetWorth> {
  return await inSnapshot(app.platform.db, async (snapshot) => {
    const worth = await findNetWorth(snapshot, userId)
    const { total } = await findGrants(snapshot, { userId, since: app.platform.clock.now() })
    const largest = await findLargestParts(snapshot, userId, WORTH_PARTS_MAX)
    const listed = largest.reduce((sum, part) => sum.add(part.cashOut), new Decimal(0))
    return {
      netWorth: solText(worth.netWorth),
      balance: solText(worth.balance),
      cashOutValue: solText(worth.cashOut),
      ownPools: solText(worth.ownPools),
      ownBags: solText(worth.ownBags),
      openPools: worth.openPools,
      ownTokens: await findOpenPools(snapshot, userId, CREATED_MAX),
      holdings: worth.holdings,
      granted: solText(total),
      largest: largest.map((part) => ({
        tokenId: part.tokenId,
        tokenName: part.name,
        tokenSymbol: part.symbol,
        emoji: part.emoji,
        cashOutValue: solText(part.cashOut),
      })),
      others: solText(worth.cashOut.sub(listed)),
      othersCount: worth.foreignHoldings - largest.length,
    }
  })
}
