import type { TokenId } from '@papermoon/contract/ids'
import type { Market } from '../batch/market.ts'
import { getAccountId } from '../orders.ts'
import type { PendingOrder } from '../pending-order.ts'
import type { HoldingKey } from './read-statements.ts'

export interface RowsToRead {
  readonly tokenIds: readonly TokenId[]
  readonly accountIds: readonly number[]
  /** Holdings to read, which may contain duplicates. */
  readonly pairs: readonly HoldingKey[]
  /** Ids of API keys with spending limits. */
  readonly keyIds: readonly number[]
}

/** Finds the rows that these orders need and that the market lacks. */
export function findMissingRows(market: Market, orders: readonly PendingOrder[]): RowsToRead {
  const tokenIds = new Set<TokenId>()
  const accountIds = new Set<number>()
  const pairs: HoldingKey[] = []
  const keyIds = new Set<number>()
  for (const pending of orders) {
    const { order } = pending
    const { userId, spendingKeyId } = order
    const accountId = getAccountId(order)
    if (spendingKeyId !== undefined && market.spending(spendingKeyId) === undefined) keyIds.add(spendingKeyId)
    if (market.account(accountId) === undefined) accountIds.add(accountId)
    if (order.kind === 'launch') continue
    const { tokenId } = order
    if (market.pool(tokenId) === undefined) tokenIds.add(tokenId)
    const needsNoRow = detectsMissedHolding(pending) && market.neverHeld(accountId, tokenId)
    if (!needsNoRow && market.holding(tokenId, userId) === undefined) pairs.push({ tokenId, userId })
  }
  return { tokenIds: [...tokenIds], accountIds: [...accountIds], pairs, keyIds: [...keyIds] }
}

/**
 * Returns whether an order would fail because the cache wrongly lacks a holding. Only a buy would fail, because it
 * inserts the row and the primary key rejects a second row.
 */
export function detectsMissedHolding({ order, mayBeRepeat }: PendingOrder): boolean {
  return order.kind === 'buy' && !mayBeRepeat
}
