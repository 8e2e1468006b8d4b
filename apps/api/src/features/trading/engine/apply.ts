import { type Position, solText, tokensText } from '@papermoon/amm'
import { NotSignedInError, TokenNotFoundError } from '../../../errors.ts'
import type { TokenId, UserId } from '../../../ids.ts'
import type { BuyOrder, SellOrder, Standing } from '../../../orders.ts'
import { BusyError, RequestKeyReusedError } from '../errors.ts'
import { applyLaunch } from './apply-launch.ts'
import { applyRug } from './apply-rug.ts'
import { applyBuy, applySell } from './apply-trade.ts'
import { type BatchRun, keepTrade } from './batch-changes.ts'
import type { LockedAccount, LockedMarket, LockedPool, PriorAnswer } from './market.ts'
import type { Receipt, Ticket } from './ticket.ts'

/** Applies one order to the locked market. Throws the `DomainError` of the rule it breaks, and then has changed nothing. */
export function applyTicket(run: BatchRun, ticket: Ticket): Receipt {
  const { order, requestKey } = ticket
  const account = accountOf(run.market, order.userId)
  const prior = run.market.priorAnswer(order.userId, requestKey)
  if (prior !== null) return repeatAnswer(run.market, account, ticket, prior)
  if (order.kind === 'launch') return applyLaunch(run, ticket, order, account)
  const pool = poolOf(run.market, order.tokenId)
  // Who holds a hidden token may leave; for everything else it is not there.
  if (order.kind !== 'sell' && run.market.hidden.has(order.tokenId)) throw new TokenNotFoundError()
  if (order.kind === 'rug') return applyRug(run, pool, account, requestKey)
  return applyTrade(run, order, { pool, account }, requestKey)
}

function applyTrade(
  run: BatchRun,
  order: BuyOrder | SellOrder,
  { pool, account }: { pool: LockedPool; account: LockedAccount },
  requestKey: string,
): Receipt {
  const scene = { pool, account, position: run.market.positionOf(order.tokenId, order.userId) }
  const stamp = { tradeId: run.ids.nextTradeId(), nowMs: run.nowMs }
  const effect = order.kind === 'buy' ? applyBuy(scene, order, stamp) : applySell(scene, order, stamp)
  keepTrade(run, effect, requestKey)
  return { trade: effect.trade, standing: standingOf(effect.account, effect.position, effect.event.holding) }
}

function repeatAnswer(market: LockedMarket, account: LockedAccount, ticket: Ticket, prior: PriorAnswer): Receipt {
  if (prior.fingerprint !== ticket.fingerprint) throw new RequestKeyReusedError()
  const balance = solText(account.balance)
  if (prior.kind === 'launch') return { tokenId: prior.tokenId, initialTrade: prior.initialTrade, balance }
  if (prior.kind === 'rug') return { tokenId: prior.tokenId, ruggedAmount: prior.ruggedAmount, balance }
  return { trade: prior.trade, standing: standingOf(account, market.positionOf(prior.trade.tokenId, account.userId)) }
}

function poolOf(market: LockedMarket, tokenId: TokenId): LockedPool {
  const pool = market.pools.get(tokenId)
  if (pool !== undefined) return pool
  throw market.unavailable.pools.has(tokenId) ? new BusyError() : new TokenNotFoundError()
}

function accountOf(market: LockedMarket, userId: UserId): LockedAccount {
  const account = market.accounts.get(userId)
  if (account !== undefined) return account
  throw market.unavailable.accounts.has(userId) ? new BusyError() : new NotSignedInError()
}

function standingOf(account: LockedAccount, position: Position, amount = tokensText(position.amount)): Standing {
  return {
    balance: solText(account.balance),
    amount,
    cost: solText(position.cost),
  }
}
