import { BusyError, NotSignedInError, RequestKeyReusedError, TokenNotFoundError } from '../errors.ts'
import { fingerprintOf } from '../idempotency/fingerprint.ts'
import { type PriorAnswer, priorKey } from '../idempotency/prior-answers.ts'
import type { TokenId, UserId } from '../ids.ts'
import type { BuyOrder, SellOrder } from '../orders.ts'
import type { PendingOrder, Receipt } from '../pending-order.ts'
import { applyLaunch } from './apply-launch.ts'
import { applyRug } from './apply-rug.ts'
import { applyBuy, applySell, toPlayerPosition } from './apply-trade.ts'
import { type BatchRun, keepTrade } from './changes.ts'
import type { Account, TokenPool } from './market.ts'

/** Applies one order to the market. Throws the `DomainError` of the rule it breaks, and then has changed nothing. */
export function applyOrder(run: BatchRun, pending: PendingOrder): Receipt {
  const { order, requestKey } = pending
  const account = accountOf(run, order.userId)
  const prior = pending.mayBeRepeat ? run.reads.prior.get(priorKey(order.userId, requestKey)) : undefined
  if (prior !== undefined) return repeatAnswer(run, account, pending, prior)
  if (order.refusal !== undefined) throw order.refusal
  if (order.kind === 'launch') return applyLaunch(run, pending, order, account)
  const pool = poolOf(run, order.tokenId)
  // Who holds a hidden token may leave; for everything else it is not there.
  if (order.kind !== 'sell' && pool.isHidden) throw new TokenNotFoundError()
  if (order.kind === 'rug') return applyRug(run, pool, account, requestKey)
  return applyTrade(run, order, { pool, account }, requestKey)
}

function applyTrade(
  run: BatchRun,
  order: BuyOrder | SellOrder,
  { pool, account }: { pool: TokenPool; account: Account },
  requestKey: string,
): Receipt {
  const scene = { pool, account, position: run.market.position(order.tokenId, order.userId) }
  const effect = order.kind === 'buy' ? applyBuy(scene, order, run.nowMs) : applySell(scene, order, run.nowMs)
  keepTrade(run, effect, requestKey)
  return { trade: effect.event.trade, position: effect.position }
}

function repeatAnswer({ market }: BatchRun, account: Account, pending: PendingOrder, prior: PriorAnswer): Receipt {
  if (prior.fingerprint !== fingerprintOf(pending.order)) throw new RequestKeyReusedError()
  const balance = account.balanceText
  if (prior.kind === 'launch') return { tokenId: prior.tokenId, initialTrade: prior.initialTrade, balance }
  if (prior.kind === 'rug') return { tokenId: prior.tokenId, ruggedAmount: prior.ruggedAmount, balance }
  return {
    trade: prior.trade,
    position: toPlayerPosition(account, market.position(prior.trade.tokenId, account.userId)),
  }
}

function poolOf({ market, reads }: BatchRun, tokenId: TokenId): TokenPool {
  const pool = market.pool(tokenId)
  if (pool !== undefined) return pool
  throw reads.heldPools.has(tokenId) ? new BusyError() : new TokenNotFoundError()
}

function accountOf({ market, reads }: BatchRun, userId: UserId): Account {
  const account = market.account(userId)
  if (account !== undefined) return account
  throw reads.heldAccounts.has(userId) ? new BusyError() : new NotSignedInError()
}
