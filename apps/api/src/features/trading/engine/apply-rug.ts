import { Decimal, rugPool, solText, spotPrice } from '@papermoon/amm'
import type { RugPullEvent } from '../../../events/event.ts'
import type { RugReceipt } from '../../../orders.ts'
import { NotTheCreatorError, withMarketRules } from '../errors.ts'
import { type BatchRun, keep } from './batch-changes.ts'
import { rugHash } from './chain-hash.ts'
import type { LockedAccount, LockedPool } from './market.ts'

/**
 * Pays the pool's real SOL to the token's creator and closes the pool for good. Throws `NotTheCreatorError`, or
 * `TOKEN_CLOSED` the second time.
 */
export function applyRug(run: BatchRun, before: LockedPool, account: LockedAccount, requestKey: string): RugReceipt {
  const { tokenId } = before
  if (run.market.creators.get(tokenId) !== account.userId) throw new NotTheCreatorError()
  const { drained, pool } = withMarketRules(() => rugPool(before.pool))
  const atMs = Math.max(run.nowMs, before.lastEventAtMs)
  const paid: LockedAccount = {
    ...account,
    balance: account.balance.add(drained),
    realizedPnl: account.realizedPnl.add(drained),
  }
  const rug: RugPullEvent = {
    type: 'rug_pull',
    tokenId,
    seq: before.seq + 1,
    userId: account.userId,
    username: account.username,
    amount: solText(drained),
    createdAt: new Date(atMs).toISOString(),
  }
  const after: LockedPool = {
    ...before,
    pool,
    price: spotPrice(pool),
    seq: rug.seq,
    lastEventAtMs: atMs,
    chainHead: rugHash(before.chainHead, rug),
  }
  run.changes.journal.push({ kind: 'rug', rug, hash: after.chainHead, requestKey })
  const volume = new Decimal(0)
  run.changes.candles.add({ tokenId, atMs, before: before.price, after: after.price, volume, trades: 0 })
  keep(run, after, paid)
  return { tokenId, ruggedAmount: rug.amount, balance: solText(paid.balance) }
}
