import { Decimal } from '@papermoon/amm'
import type { MarketEvent } from '@papermoon/contract/market-events'
import type { Holder } from '@papermoon/contract/tokens'
import type { PatchResult } from './patch-result.ts'

/** Max number of holders. The API has the same limit. */
const HOLDERS_MAX = 20

/** Returns the largest holders after an event. If a player outside the list may now belong in it, the list is stale. */
export function patchHolders(holders: readonly Holder[], event: MarketEvent): PatchResult<Holder[]> {
  if (event.type !== 'trade') return { data: holders as Holder[], stale: false }
  const { userId, username, isBot } = event.trade
  const others = holders.filter((holder) => holder.userId !== userId)
  const amount = new Decimal(event.holding)
  const wasFull = holders.length >= HOLDERS_MAX
  const shrank = holders.some((holder) => holder.userId === userId && amount.lt(holder.amount))
  const all = amount.gt(0) ? [...others, { userId, username, isBot, rank: 0, amount: event.holding }] : others
  const ordered = all.sort((a, b) => new Decimal(b.amount).cmp(a.amount) || a.userId - b.userId)
  const data = ordered.slice(0, HOLDERS_MAX).map((holder, index) => ({ ...holder, rank: index + 1 }))
  return { data, stale: wasFull && shrank }
}
