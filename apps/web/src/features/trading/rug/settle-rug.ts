import { patchToken } from '@papermoon/live'
import { type CurrentUser, cache, type Token } from '../../../lib/api/api.ts'
import { setBalance } from '../../../lib/api/current-user.ts'
import { refetchToken } from '../../../lib/live/live-cache.ts'
import { currentConnection } from '../../../lib/live/socket.ts'

/** What the server answers to a rug pull. */
export interface RugAnswer {
  /** SOL drained from the pool. */
  readonly ruggedAmount: string
  /** The player's SOL now. */
  readonly balance: string
}

/**
 * Puts what an answer tells into the cache: the balance, and the token as closed. Its number in the journal is not in
 * the answer, so the live event of the rug pull still comes as news, with the exact time; where the live feed is not
 * there, the token is fetched again.
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
    amount: ruggedAmount,
    createdAt: new Date().toISOString(),
  })
  cache.tokens.get.setData({ id }, { ...closed.data, seq })
  if (currentConnection().state !== 'live') refetchToken(id)
}
