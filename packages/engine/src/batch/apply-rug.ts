import { rugPool, solText, spotPrice } from '@papermoon/amm'
import type { RugPullEvent } from '@papermoon/contract/market-events'
import { formatTime } from '../clock.ts'
import { LiquiditySealedError, NotTheCreatorError } from '../errors.ts'
import { rugHash } from '../events/journal.ts'
import type { PendingOrder } from '../order-queue.ts'
import type { RugReceipt } from '../orders.ts'
import { getEventTime, withMarketRules } from './apply-trade.ts'
import { type BatchRun, recordAccount, recordPool } from './changes.ts'
import { type Account, type TokenPool, withBalance } from './market.ts'

/**
 * Pays the pool's real SOL to the token's creator and closes the pool for good. Throws `NotTheCreatorError`,
 * `LiquiditySealedError`, or a `MarketRuleError` (`TOKEN_CLOSED`) if the pool is already closed.
 */
export function applyRug(run: BatchRun, before: TokenPool, account: Account, pending: PendingOrder): RugReceipt {
  const { tokenId } = before
  if (before.creatorId !== account.userId) throw new NotTheCreatorError('rug')
  const { drained, pool } = withMarketRules(() => rugPool(before.pool))
  const atMs = getEventTime(before, run.nowMs)
  const { untilMs } = before.seal
  if (untilMs !== null && atMs < untilMs) throw new LiquiditySealedError(untilMs)
  const paid = withBalance(account, account.balance.add(drained))
  const rug: RugPullEvent = {
    type: 'rug_pull',
    tokenId,
    seq: before.seq + 1,
    userId: account.userId,
    username: account.username,
    isBot: pending.order.isBot === true,
    amount: solText(drained),
    createdAt: formatTime(atMs),
  }
  const after: TokenPool = {
    ...before,
    pool,
    price: spotPrice(pool),
    seq: rug.seq,
    lastEventAtMs: atMs,
    chainHead: rugHash(before.chainHead, rug),
  }
  run.changes.journal.push({ kind: 'rug', position: 0, rug, hash: after.chainHead, requestKey: pending.requestKey })
  recordPool(run, after)
  recordAccount(run, paid, drained)
  return { tokenId, ruggedAmount: rug.amount, balance: paid.balanceText }
}
