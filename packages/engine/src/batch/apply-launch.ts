import { Decimal, LAUNCH_FEE, launchPool, spotPrice } from '@papermoon/amm'
import type { TokenId } from '@papermoon/contract/ids'
import { InsufficientBalanceError } from '../errors.ts'
import { launchHash } from '../events/journal.ts'
import type { PendingOrder } from '../order-queue.ts'
import type { LaunchOrder, LaunchReceipt } from '../orders.ts'
import { NO_BOOK } from '../waiting/waiting-order.ts'
import { sealToken } from './apply-seal.ts'
import { applyBuy, chargeKey, type TradeEffect } from './apply-trade.ts'
import { type BatchRun, type LaunchEntry, recordAccount, recordPool, recordSpending, recordTrade } from './changes.ts'
import { type Account, NO_POSITION, NO_SEAL, type TokenPool, withBalance } from './market.ts'

/**
 * Launches a token. The creator pays the fee and can make a first buy. If the order breaks a rule, throws the rule's
 * `DomainError` and changes nothing.
 */
export function applyLaunch(run: BatchRun, pending: PendingOrder, order: LaunchOrder, account: Account): LaunchReceipt {
  assertWithinBound(run, order)
  const needed = order.initialBuy === undefined ? LAUNCH_FEE : LAUNCH_FEE.add(order.initialBuy)
  if (account.balance.lt(needed)) throw new InsufficientBalanceError(account.balance, needed)
  const spending = chargeKey(run, order)
  const tokenId = run.reads.nextTokenId()
  const pool = freshPool(tokenId, order, run.nowMs)
  const charged = withBalance(account, account.balance.sub(LAUNCH_FEE))
  // Compute the first buy before any change, because a rejected buy must change nothing.
  const effect = firstBuy(run, order, pool, charged)
  const { requestKey } = pending
  const creator = { id: account.userId, username: account.username, isBot: order.isBot === true }
  const about = { tokenId, order, requestKey, creator }
  run.changes.journal.push({
    kind: 'launch',
    position: 0,
    ...about,
    price: pool.price,
    hash: pool.chainHead,
    atMs: run.nowMs,
  })
  recordPool(run, pool)
  recordAccount(run, charged, LAUNCH_FEE.neg())
  recordSpending(run, spending)
  if (effect !== null) recordTrade(run, effect, requestKey)
  if (order.seal !== undefined) {
    const holder = { pool: effect?.pool ?? pool, account, held: run.market.position(tokenId, account.userId).amount }
    sealToken(run, holder, { request: order.seal, requestKey: null, isBot: creator.isBot })
  }
  return { tokenId, initialTrade: effect?.event.trade ?? null, balance: (effect?.account ?? charged).balanceText }
}

function assertWithinBound({ reads, changes }: BatchRun, { fair, userId }: LaunchOrder): void {
  if (fair?.bound === undefined) return
  const isSame = ({ order }: LaunchEntry) => order.userId === userId && order.fair?.id === fair.id
  const launched = reads.launched(fair.id, userId) + changes.entries('launch').filter(isSame).length
  if (launched >= fair.bound.max) throw fair.bound.refusal
}

function firstBuy(run: BatchRun, order: LaunchOrder, pool: TokenPool, account: Account): TradeEffect | null {
  if (order.initialBuy === undefined) return null
  const buy = {
    kind: 'buy',
    userId: order.userId,
    accountId: order.accountId,
    tokenId: pool.tokenId,
    sol: order.initialBuy,
    isBot: order.isBot,
  } as const
  return applyBuy({ pool, account, position: NO_POSITION }, buy, run.nowMs)
}

function freshPool(tokenId: TokenId, order: LaunchOrder, nowMs: number): TokenPool {
  const pool = launchPool()
  const price = spotPrice(pool)
  const chainHead = launchHash(tokenId, order, { price, atMs: nowMs })
  const closing = order.fair === undefined ? null : { atMs: order.fair.closesAtMs, isPast: false }
  const about = { isHidden: false, creatorId: order.userId, seal: NO_SEAL, book: NO_BOOK, closing }
  return { tokenId, pool, fees: new Decimal(0), price, chainHead, seq: 0, lastEventAtMs: nowMs, ...about }
}
