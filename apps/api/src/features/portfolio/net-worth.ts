import { Decimal, solText } from '@papermoon/amm'
import type { App } from '../../context.ts'
import { CREATED_MAX } from '../../created-tokens.ts'
import type { UserId } from '../../ids.ts'
import { inSnapshot } from '../../snapshot.ts'
import { findLargestParts, findOpenPools, findWorth } from './history-store.ts'
import { type NetWorth, WORTH_PARTS_MAX } from './schemas.ts'

/** What a player could have in SOL now, and where it is: exact, of one moment. */
export async function netWorthOf(app: Pick<App, 'db'>, userId: UserId): Promise<NetWorth> {
  return await inSnapshot(app.db, async (snapshot) => {
    const { balance, cashOut, ownPools, openPools, holdings } = await findWorth(snapshot, userId)
    const largest = await findLargestParts(snapshot, userId, WORTH_PARTS_MAX)
    const listed = largest.reduce((sum, part) => sum.add(part.cashOut), new Decimal(0))
    return {
      netWorth: solText(balance.add(cashOut).add(ownPools)),
      balance: solText(balance),
      cashOutValue: solText(cashOut),
      ownPools: solText(ownPools),
      openPools,
      ownTokens: await findOpenPools(snapshot, userId, CREATED_MAX),
      holdings,
      largest: largest.map((part) => ({
        tokenId: part.tokenId,
        tokenName: part.name,
        tokenSymbol: part.symbol,
        emoji: part.emoji,
        cashOutValue: solText(part.cashOut),
      })),
      others: solText(cashOut.sub(listed)),
    }
  })
}
