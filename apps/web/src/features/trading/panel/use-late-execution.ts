import { Decimal } from '@papermoon/amm'
import { useEffect, useEffectEvent } from 'react'
import { cache, type Position, type TokenId, type Trade, trpc, type UserId } from '../../../lib/api/api.ts'
import { useCurrentUser } from '../../../lib/api/current-user.ts'
import { refetchPosition } from '../order/cache-trade.ts'
import type { Answer, Order } from '../order/place-order.ts'

/**
 * An order with the token's sequence number when the order was sent. The sequence number is null if it is unknown, as
 * for a hidden token.
 */
export interface SentOrder extends Order {
  readonly afterSeq: number | null
  /** The holding from which the order sells; undefined if unknown. */
  readonly before: Pick<Position, 'amount' | 'cost'> | undefined
}

/**
 * Watches a token's trades for an order whose outcome is unknown. Calls `onFound` once if the order was executed, so
 * that its amount does not remain in the field.
 */
export function useLateExecution(
  tokenId: TokenId,
  unconfirmed: SentOrder | null,
  onFound: (order: SentOrder, answer: Answer) => void,
): void {
  const user = useCurrentUser()
  const { data: trade = null } = trpc.tokens.trades.useQuery(
    { id: tokenId },
    {
      enabled: unconfirmed !== null && unconfirmed.afterSeq !== null,
      select: (trades) => (unconfirmed === null ? null : findExecution(trades, unconfirmed, user?.id ?? null)),
    },
  )
  const tell = useEffectEvent(onFound)
  useEffect(() => {
    if (unconfirmed === null || trade === null) return
    let isCancelled = false
    const cacheExecution = async () => {
      await refetchPosition(tokenId)
      const position = cache.trading.position.getData({ tokenId })
      if (isCancelled || position === undefined) return
      const received = trade.side === 'buy' ? trade.tokenAmount : trade.solAmount
      tell(unconfirmed, { received, trade, position })
    }
    // If the holding is unknown, the outcome stays unknown, which is safe.
    cacheExecution().catch(() => {})
    return () => {
      isCancelled = true
    }
  }, [tokenId, unconfirmed, trade])
}

/** Returns the player's trade that executed `order`, or null if it is not among the latest trades. */
export function findExecution(
  trades: readonly Pick<Trade, 'seq' | 'side' | 'userId' | 'solAmount' | 'tokenAmount'>[],
  order: Pick<SentOrder, 'side' | 'amount' | 'afterSeq'>,
  userId: UserId | null,
) {
  const { side, amount, afterSeq } = order
  if (userId === null || afterSeq === null) return null
  const paid = (trade: (typeof trades)[number]) => (side === 'buy' ? trade.solAmount : trade.tokenAmount)
  const found = trades.find(
    (trade) =>
      trade.userId === userId && trade.side === side && trade.seq > afterSeq && new Decimal(paid(trade)).eq(amount),
  )
  return (found ?? null) as Trade | null
}
