import { cache, type TokenId } from '../../../lib/api/api.ts'
import { setBalance } from '../../../lib/api/current-user.ts'
import { applyToToken, refetchToken } from '../../../lib/live/live-cache.ts'
import { isSettled, noteSettled } from '../../../lib/live/settled-trades.ts'
import { currentConnection } from '../../../lib/live/socket.ts'
import { toEvent } from './event-from-answer.ts'
import type { Answer } from './place-order.ts'

/**
 * Writes an order's answer to the cache: position, balance, and the token with its chart, trades and holders. The live
 * event of the same trade then changes nothing. If other trades came between and the live feed is down, refetches the
 * token.
 */
export function settleTrade(id: TokenId, { trade, position }: Answer): void {
  if (isSettled(id, trade.seq)) return
  noteSettled(id, trade.seq)
  // Keep `hiddenToken`, which only the query's own answer has.
  cache.trading.position.setData({ tokenId: id }, (before) => ({ ...before, ...position }))
  setBalance(position.balance)
  const token = cache.tokens.get.getData({ id })
  if (token === undefined || trade.seq <= token.seq) return
  const event = toEvent(token, trade, position.amount)
  if (event !== null) applyToToken(id, [event])
  else if (currentConnection().state !== 'live') refetchToken(id)
}

/** Refetches the position after a trade that was made elsewhere. */
export async function refetchPosition(tokenId: TokenId): Promise<void> {
  await cache.trading.position.fetch({ tokenId }, { staleTime: 0 })
}
