import { type MarkedTrade, type TokenId, trpc } from '../../../lib/api/api.ts'

const NONE: readonly MarkedTrade[] = []

/**
 * The trades of a token's creator and the player's own, newest first. They outlast the list of trades, from which a
 * busy market pushes them within a second.
 */
export function useMarkedTrades(id: TokenId): readonly MarkedTrade[] {
  return trpc.tokens.markedTrades.useQuery({ id }).data ?? NONE
}
