import type { TokenId, UserId } from '../../../ids.ts'
import type { Market } from './market.ts'
import type { HoldingKey } from './row-statements.ts'
import type { Ticket } from './ticket.ts'

/** Rows to read. */
export interface BatchRows {
  readonly tokenIds: readonly TokenId[]
  readonly userIds: readonly UserId[]
  /** Holdings; one may stand here twice. */
  readonly pairs: readonly HoldingKey[]
}

/** The rows of these orders that a market does not know: of an empty one, all of them. */
export function missingRows(market: Market, tickets: readonly Ticket[]): BatchRows {
  const tokenIds = new Set<TokenId>()
  const userIds = new Set<UserId>()
  const pairs: HoldingKey[] = []
  for (const { order } of tickets) {
    const { userId } = order
    if (market.account(userId) === undefined) userIds.add(userId)
    if (order.kind === 'launch') continue
    const { tokenId } = order
    if (market.pool(tokenId) === undefined) tokenIds.add(tokenId)
    // A buy of what was never held adds a row, which the table's key refuses if there is one after all. A sale has no such guard.
    const needsNone = order.kind === 'buy' && market.neverHeld(tokenId, userId)
    if (!needsNone && market.holding(tokenId, userId) === undefined) pairs.push({ tokenId, userId })
  }
  return { tokenIds: [...tokenIds], userIds: [...userIds], pairs }
}
