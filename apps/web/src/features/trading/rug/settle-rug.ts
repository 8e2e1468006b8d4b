import { patchToken } from '@papermoon/live'
import { type CurrentUser, cache, type Token } from '../../../lib/api/api.ts'
import { setBalance } from '../../../lib/api/current-user.ts'
import { refetchToken } from '../../../lib/live/live-cache.ts'
import { currentConnection } from '../../../lib/live/socket.ts'

/** The server's answer to a rug pull. */
export interface RugAnswer {
  /** SOL drained from the pool. */
  readonly ruggedAmount: string
  /** The player's balance in SOL afterwards. */
  readonly balance: string
}

/**
 * Writes a rug pull's answer to the cache: the balance, and the token as closed. The answer lacks the event's `seq`, so
 * the live event still applies, with the exact time. If the live feed is down, refetches the token.
 */
export function settleRug({ id }: Token, player: CurrentUser, { ruggedAmount, balance }: RugAnswer): void {
  setBalance(balance)
  const token = cache.tokens.get.getData({ id })
  if (token === undefined || token.ruggedAt !== null) return
  const { seq } = token
  const closed = patchToken(token, {
    type: 'rug_pull',
    tokenId: id,
    seq: seq + 1,
    userId: player.id,
    username: player.username,
    isBot: player.isBot,
    amount: ruggedAmount,
    createdAt: new Date().toISOString(),
  })
  cache.tokens.get.setData({ id }, { ...closed.data, seq })
  if (currentConnection().state !== 'live') refetchToken(id)
}
