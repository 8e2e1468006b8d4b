import {
  Decimal,
  LAUNCH_FEE,
  launchPool,
  type Position,
  type Price,
  solText,
  spotPrice,
  tokensText,
} from '@papermoon/amm'
import { NotSignedInError, TokenNotFoundError } from '../../../errors.ts'
import type { TokenId, UserId } from '../../../ids.ts'
import type { LaunchOrder, Standing } from '../../../orders.ts'
import { BusyError, InsufficientBalanceError, RequestKeyReusedError } from '../errors.ts'
import { applyBuy, applySell, type TradeEffect } from './apply-trade.ts'
import { CandleChanges } from './candles.ts'
import type { LockedAccount, LockedMarket, LockedPool, PriorAnswer } from './market.ts'
import type { Receipt, Ticket } from './ticket.ts'

/** A trade of the batch with the key it is remembered by. */
export interface TradeEntry {
  readonly effect: TradeEffect
  readonly requestKey: string
}

/** A launch of the batch. */
export interface LaunchEntry {
  readonly tokenId: TokenId
  readonly order: LaunchOrder
  readonly requestKey: string
  readonly fingerprint: string
  readonly creator: { readonly id: UserId; readonly username: string }
  readonly price: Price
  readonly atMs: number
}

/** Journal entries in the order they were applied, one list, so that events leave in that order. */
export type JournalEntry =
  | { readonly kind: 'trade'; readonly entry: TradeEntry }
  | { readonly kind: 'launch'; readonly entry: LaunchEntry }

/** Everything a batch writes: its journal entries and the last state of each row it changed. */
export class BatchChanges {
  readonly journal: JournalEntry[] = []
  readonly pools = new Map<TokenId, LockedPool>()
  readonly accounts = new Map<UserId, LockedAccount>()
  readonly positions = new Map<string, { tokenId: TokenId; userId: UserId; position: Position }>()
  readonly candles = new CandleChanges()

  get isEmpty(): boolean {
    return this.journal.length === 0
  }
}

/** Ids taken after every lock was held, so that their order is a valid order of replay. */
export interface IdSupply {
  nextTradeId(): number
  nextTokenId(): TokenId
}

export interface BatchRun {
  readonly market: LockedMarket
  readonly changes: BatchChanges
  readonly ids: IdSupply
  readonly nowMs: number
}

/** Applies one order to the locked market. Throws the `DomainError` of the rule it breaks, and then has changed nothing. */
export function applyTicket(run: BatchRun, ticket: Ticket): Receipt {
  const { order, requestKey } = ticket
  const prior = run.market.priorAnswer(order.userId, requestKey)
  if (prior !== null) return repeatAnswer(run, ticket, prior)
  return order.kind === 'launch' ? applyLaunch(run, ticket, order) : applyTradeOrder(run, ticket, order)
}

function applyTradeOrder(run: BatchRun, ticket: Ticket, order: Exclude<Ticket['order'], LaunchOrder>): Receipt {
  const { market } = run
  const scene = {
    pool: poolOf(market, order.tokenId),
    account: accountOf(market, order.userId),
    position: market.positionOf(order.tokenId, order.userId),
  }
  const stamp = { tradeId: run.ids.nextTradeId(), nowMs: run.nowMs }
  const effect = order.kind === 'buy' ? applyBuy(scene, order, stamp) : applySell(scene, order, stamp)
  record(run, effect, ticket.requestKey)
  return { trade: effect.trade, standing: standingOf(effect.account, effect.position) }
}

function applyLaunch(run: BatchRun, ticket: Ticket, order: LaunchOrder): Receipt {
  const account = accountOf(run.market, order.userId)
  const needed = order.initialBuy === undefined ? LAUNCH_FEE : LAUNCH_FEE.add(order.initialBuy)
  if (account.balance.lt(needed)) throw new InsufficientBalanceError(account.balance, needed)
  const tokenId = run.ids.nextTokenId()
  const pool = freshPool(tokenId, run.nowMs)
  const charged: LockedAccount = {
    ...account,
    balance: account.balance.sub(LAUNCH_FEE),
    realizedPnl: account.realizedPnl.sub(LAUNCH_FEE),
  }
  // Computed before anything is recorded: a first buy that is refused refuses the launch with it.
  const effect = initialBuy(run, order, pool, charged)
  const creator = { id: account.userId, username: account.username }
  const { requestKey, fingerprint } = ticket
  const entry = { tokenId, order, requestKey, fingerprint, creator, price: pool.price, atMs: run.nowMs }
  run.changes.journal.push({ kind: 'launch', entry })
  keep(run, pool, charged)
  if (effect !== null) record(run, effect, requestKey)
  return { tokenId, initialTrade: effect?.trade ?? null, balance: solText((effect?.account ?? charged).balance) }
}

function initialBuy(run: BatchRun, order: LaunchOrder, pool: LockedPool, account: LockedAccount): TradeEffect | null {
  if (order.initialBuy === undefined) return null
  const position = run.market.positionOf(pool.tokenId, account.userId)
  const buy = { kind: 'buy', userId: order.userId, tokenId: pool.tokenId, sol: order.initialBuy } as const
  return applyBuy({ pool, account, position }, buy, { tradeId: run.ids.nextTradeId(), nowMs: run.nowMs })
}

function freshPool(tokenId: TokenId, nowMs: number): LockedPool {
  const pool = launchPool()
  return { tokenId, pool, fees: new Decimal(0), price: spotPrice(pool), seq: 0, lastEventAtMs: nowMs }
}

function record(run: BatchRun, effect: TradeEffect, requestKey: string): void {
  const { tokenId } = effect.pool
  const { userId } = effect.account
  run.changes.journal.push({ kind: 'trade', entry: { effect, requestKey } })
  run.changes.candles.add(effect)
  run.market.setPosition(tokenId, userId, effect.position)
  run.changes.positions.set(`${tokenId}:${userId}`, { tokenId, userId, position: effect.position })
  keep(run, effect.pool, effect.account)
}

function keep({ market, changes }: BatchRun, pool: LockedPool, account: LockedAccount): void {
  market.pools.set(pool.tokenId, pool)
  market.accounts.set(account.userId, account)
  changes.pools.set(pool.tokenId, pool)
  changes.accounts.set(account.userId, account)
}

function repeatAnswer({ market }: BatchRun, ticket: Ticket, prior: PriorAnswer): Receipt {
  if (prior.fingerprint !== ticket.fingerprint) throw new RequestKeyReusedError()
  const account = accountOf(market, ticket.order.userId)
  if (prior.kind === 'launch') {
    return { tokenId: prior.tokenId, initialTrade: prior.initialTrade, balance: solText(account.balance) }
  }
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

function standingOf(account: LockedAccount, position: Position): Standing {
  return {
    balance: solText(account.balance),
    amount: tokensText(position.amount),
    cost: solText(position.cost),
  }
}
