import type { TokenId } from '@papermoon/contract/ids'
import { BusyError, FairEndedError, NotSignedInError, RequestKeyReusedError, TokenNotFoundError } from '../errors.ts'
import { computeFingerprint } from '../idempotency/fingerprint.ts'
import { type PriorResponse, toPriorKey } from '../idempotency/prior-responses.ts'
import { type BuyOrder, getAccountId, type LaunchOrder, type Order, type SellOrder } from '../orders.ts'
import type { PendingOrder, Receipt } from '../pending-order.ts'
import { applyCancel, applyPlace } from '../waiting/apply-place.ts'
import { followChange, ReachedError } from '../waiting/cascade.ts'
import { ALONE_MAX } from '../waiting/order-book.ts'
import { applyLaunch } from './apply-launch.ts'
import { applyRug } from './apply-rug.ts'
import { applySeal } from './apply-seal.ts'
import { applyBuy, applySell, toPlayerPosition } from './apply-trade.ts'
import { type BatchRun, recordSpending, recordTrade } from './changes.ts'
import type { Account, TokenPool } from './market.ts'
import { chargeKey } from './spending.ts'

/** Applies one order to the market. If the order breaks a rule, throws the rule's `DomainError` and changes nothing. */
export function applyOrder(run: BatchRun, pending: PendingOrder): Receipt {
  const { order, requestKey } = pending
  const account = requireAccount(run, getAccountId(order))
  const prior = pending.mayBeRepeat ? run.reads.prior.get(toPriorKey(order.userId, requestKey)) : undefined
  if (prior !== undefined) return toRepeatResponse(run, account, pending, prior)
  if (order.refusal !== undefined) throw order.refusal
  if (order.kind === 'launch') return applyLaunch(run, pending, order, account)
  const pool = requirePool(run, order.tokenId)
  awaitCascade(run, pool)
  if (pool.closing?.isPast === true) throw new FairEndedError()
  // Only holders can see and sell a hidden token.
  if (pool.isHidden && !isForHolders(order)) throw new TokenNotFoundError()
  if (order.kind === 'place') return applyPlace(run, { pool, account }, pending, order)
  if (order.kind === 'cancel') return applyCancel(run, { pool, account }, order)
  if (order.kind === 'rug') return applyRug(run, pool, account, pending)
  if (order.kind === 'seal') return applySeal(run, { pool, account }, pending, order)
  return applyTrade(run, order, { pool, account }, requestKey)
}

/** The order must wait for a running cascade, so a later batch takes it. */
export class DeferredError extends Error {}

/** Throws `DeferredError` if the order must wait, or `ReachedError` if the batch has not read this pool's cascade. */
function awaitCascade({ reads }: BatchRun, { tokenId, book: { running } }: TokenPool): void {
  if (running === null) return
  if (!reads.ranges.has(tokenId)) throw new ReachedError(tokenId)
  if (running.batches < ALONE_MAX) throw new DeferredError()
}

function isForHolders(order: Exclude<Order, LaunchOrder>): boolean {
  return order.kind === 'sell' || order.kind === 'cancel' || (order.kind === 'place' && order.terms.kind !== 'buy')
}

function applyTrade(
  run: BatchRun,
  order: BuyOrder | SellOrder,
  { pool, account }: { pool: TokenPool; account: Account },
  requestKey: string,
): Receipt {
  const context = { pool, account, position: run.market.position(order.tokenId, order.userId) }
  const effect = order.kind === 'buy' ? applyBuy(context, order, run.nowMs) : applySell(context, order, run.nowMs)
  recordSpending(run, chargeKey(run, order))
  recordTrade(run, effect, requestKey)
  followChange(run, order.tokenId, pool.price)
  return { trade: effect.event.trade, position: effect.position }
}

function toRepeatResponse(
  { market }: BatchRun,
  account: Account,
  pending: PendingOrder,
  prior: PriorResponse,
): Receipt {
  if (prior.fingerprint !== computeFingerprint(pending.order)) throw new RequestKeyReusedError()
  const current = { balance: account.balanceText, isRepeat: true } as const
  if (prior.kind === 'launch') return { tokenId: prior.tokenId, initialTrade: prior.initialTrade, ...current }
  if (prior.kind === 'rug') return { tokenId: prior.tokenId, ruggedAmount: prior.ruggedAmount, ...current }
  if (prior.kind === 'place') return { tokenId: prior.order.tokenId, order: prior.order, trades: [], isRepeat: true }
  if (prior.kind === 'seal') return { tokenId: prior.tokenId, seal: prior.seal, isRepeat: true }
  return {
    trade: prior.trade,
    position: toPlayerPosition(account, market.position(prior.trade.tokenId, account.userId)),
    isRepeat: true,
  }
}

function requirePool({ market, reads }: BatchRun, tokenId: TokenId): TokenPool {
  const pool = market.pool(tokenId)
  if (pool !== undefined) return pool
  throw reads.lockedPools.has(tokenId) ? new BusyError() : new TokenNotFoundError()
}

function requireAccount({ market, reads }: BatchRun, id: number): Account {
  const account = market.account(id)
  if (account !== undefined) return account
  throw reads.lockedAccounts.has(id) ? new BusyError() : new NotSignedInError()
}
