import type { TokenId, UserId } from '@papermoon/contract/ids'
import type { Market } from '../batch/market.ts'
import type { PendingOrder } from '../pending-order.ts'
import type { HoldingKey } from './read-statements.ts'

export interface RowsToRead {
  readonly tokenIds: readonly TokenId[]
  readonly userIds: readonly UserId[]
  /** Holdings; may contain duplicates. */
  readonly pairs: readonly HoldingKey[]
  /** API keys whose spending limits count orders. */
  readonly keyIds: readonly number[]
}

/** Finds the rows that these orders need and the market does not have. */
export function findMissingRows(market: Market, orders: readonly PendingOrder[]): RowsToRead {
  const tokenIds = new Set<TokenId>()
  const userIds = new Set<UserId>()
  const pairs: HoldingKey[] = []
  const keyIds = new Set<number>()
  for (const pending of orders) {
    const { order } = pending
    const { userId, spendingKeyId } = order
    if (spendingKeyId !== undefined && market.spending(spendingKeyId) === undefined) keyIds.add(spendingKeyId)
    if (market.account(userId) === undefined) userIds.add(userId)
    if (order.kind === 'launch') continue
    const { tokenId } = order
    if (market.pool(tokenId) === undefined) tokenIds.add(tokenId)
    const needsNoRow = detectsMissedHolding(pending) && market.neverHeld(userId, tokenId)
    if (!needsNoRow && market.holding(tokenId, userId) === undefined) pairs.push({ tokenId, userId })
  }
  return { tokenIds: [...tokenIds], userIds: [...userIds], pairs, keyIds: [...keyIds] }
}

/**
 * Whether executing an order would reveal a holding that was wrongly assumed absent. A buy inserts the row, and the primary key
 * refuses a second one; sales and repeats of earlier orders insert nothing.
 */
export function detectsMissedHolding({ order, mayBeRepeat }: PendingOrder): boolean {
  return order.kind === 'buy' && !mayBeRepeat
}
