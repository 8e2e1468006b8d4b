import { type MarkedTrade, type TokenId, trpc } from '../../../lib/api/api.ts'

const NONE: readonly MarkedTrade[] = []

/**
 * Trades of the token's creator and of the player, newest first. Fetched separately, because a busy market pushes them
 * out of `tokens.trades` within a second.
 */
export function useMarkedTrades(id: TokenId): readonly MarkedTrade[] {
  return trpc.tokens.markedTrades.useQuery({ id }).data ?? NONE
}
