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
    if (!market.accounts.has(userId)) userIds.add(userId)
    if (order.kind === 'launch') continue
    const { tokenId } = order
    if (market.pool(tokenId) === undefined) tokenIds.add(tokenId)
    if (market.holding(tokenId, userId) === undefined) pairs.push({ tokenId, userId })
  }
  return { tokenIds: [...tokenIds], userIds: [...userIds], pairs }
}
