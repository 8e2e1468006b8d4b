import type { Market } from '../batch/market.ts'
import type { TokenId, UserId } from '../ids.ts'
import type { PendingOrder } from '../pending-order.ts'
import type { HoldingKey } from './read-statements.ts'

/** Rows to read. */
export interface BatchRows {
  readonly tokenIds: readonly TokenId[]
  readonly userIds: readonly UserId[]
  /** Holdings; one may stand here twice. */
  readonly pairs: readonly HoldingKey[]
}

/** The rows of these orders that a market does not know: of an empty one, all of them. */
export function missingRows(market: Market, orders: readonly PendingOrder[]): BatchRows {
  const tokenIds = new Set<TokenId>()
  const userIds = new Set<UserId>()
  const pairs: HoldingKey[] = []
  for (const pending of orders) {
    const { order } = pending
    const { userId } = order
    if (market.account(userId) === undefined) userIds.add(userId)
    if (order.kind === 'launch') continue
    const { tokenId } = order
    if (market.pool(tokenId) === undefined) tokenIds.add(tokenId)
    const needsNone = isGuarded(pending) && market.neverHeld(userId, tokenId)
    if (!needsNone && market.holding(tokenId, userId) === undefined) pairs.push({ tokenId, userId })
  }
  return { tokenIds: [...tokenIds], userIds: [...userIds], pairs }
}

/**
 * Whether a holding that is wrongly taken for none is found out: a buy inserts its row, which the table's key refuses then. A sale
 * inserts nothing, nor does the repeat of an earlier order.
 */
export function isGuarded({ order, mayBeRepeat }: PendingOrder): boolean {
  return order.kind === 'buy' && !mayBeRepeat
}
