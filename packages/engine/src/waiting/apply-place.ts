import { assertOpen, computeReach, Decimal, FILL_MIN, priceText } from '@papermoon/amm'
import type { TokenId } from '@papermoon/contract/ids'
import { WAITING_MAX } from '@papermoon/contract/waiting-orders'
import { getEventTime, getSellable, withMarketRules } from '../batch/apply-trade.ts'
import { type BatchRun, recordBook, recordWaiting } from '../batch/changes.ts'
import type { Account, TokenPool } from '../batch/market.ts'
import {
  FilledSinceError,
  InsufficientBalanceError,
  InsufficientTokensError,
  NotWaitingError,
  StopReachedError,
  TooManyWaitingError,
  TooSmallToWaitError,
} from '../errors.ts'
import { computeFingerprint } from '../idempotency.ts'
import type { PendingOrder } from '../order-queue.ts'
import type { CancelOrder, CancelReceipt, PlaceOrder, PlaceReceipt } from '../orders.ts'
import { endOrder, startCascade } from './cascade.ts'
import { toTriggers, toWaitingView, type WaitingChange, type WaitingOrder, withTriggers } from './waiting-order.ts'

interface Placing {
  readonly pool: TokenPool
  readonly account: Account
}

/**
 * Places or replaces a waiting order. If the price is already reached, the order fills at once. If the order breaks a
 * rule, throws the rule's `DomainError` and changes nothing.
 */
export function applyPlace(run: BatchRun, placing: Placing, pending: PendingOrder, order: PlaceOrder): PlaceReceipt {
  withMarketRules(() => assertOpen(placing.pool.pool))
  const replaced = order.replaces === undefined ? null : findOwn(run, placing, order.replaces)
  if (replaced !== null && replaced.state !== 'waiting') throw new NotWaitingError()
  const before = replaced?.order ?? null
  if (before !== null && (order.replacesFills ?? before.fills) !== before.fills) {
    const { left, fills, kind } = before
    throw new FilledSinceError({ left: left.toFixed(), fills, unit: kind === 'buy' ? 'SOL' : 'tokens' })
  }
  assertRoom(run, order, before)
  assertWorthWaiting(run, placing, order)
  const atMs = getEventTime(placing.pool, run.nowMs)
  const placed = toWaitingOrder(run, placing, pending, order)
  const { tokenId, book } = placing.pool
  const range = run.reads.ranges.get(tokenId)
  if (before !== null) endOrder(run, range, before, { state: 'cancelled', cause: 'CHANGED', atMs })
  const isReached = hasRoomNow(placed, placing.pool)
  const entries = run.changes.journal.length
  const digest = computeFingerprint(order)
  recordWaiting(run, null, { order: placed, state: 'waiting', cause: null, endedAtMs: null, digest })
  range?.set(placed)
  const nearer = withTriggers(book, placed)
  if (nearer !== book) recordBook(run, { ...placing.pool, book: nearer })
  if (isReached) startCascade(run, tokenId, placing.pool.price)
  const after = run.changes.waiting.get(placed.id)
  if (after === undefined) throw new Error('a placed order was not recorded')
  const trades = run.changes.journal.slice(entries).flatMap((entry) => {
    return entry.kind === 'trade' && entry.requestKey.startsWith(`order ${placed.id} `) ? [entry.event.trade] : []
  })
  return { tokenId, order: toWaitingView(after), trades }
}

/** Cancels a player's waiting orders for a token. Throws `NotWaitingError` if one of the orders is not the player's. */
export function applyCancel(run: BatchRun, placing: Placing, { ids }: CancelOrder): CancelReceipt {
  const { pool } = placing
  const atMs = getEventTime(pool, run.nowMs)
  const found = ids.map((id) => findOwn(run, placing, id))
  const range = run.reads.ranges.get(pool.tokenId)
  const orders = found.map((state) => {
    if (state.state !== 'waiting') return toWaitingView(state)
    endOrder(run, range, state.order, { state: 'cancelled', cause: 'PLAYER', atMs })
    return toWaitingView(run.changes.waiting.get(state.order.id) ?? state)
  })
  return { tokenId: pool.tokenId, orders }
}

/**
 * Finds the player's order, waiting or ended. Throws `NotWaitingError` if the order belongs to another player or
 * another token.
 */
function findOwn(run: BatchRun, { pool, account }: Placing, id: number): WaitingChange {
  const found = run.changes.waiting.get(id) ?? run.reads.waiting.get(id)
  if (found?.order.owner.accountId !== account.id || found.order.tokenId !== pool.tokenId) throw new NotWaitingError()
  return found
}

/** Throws `TooManyWaitingError` if the player has too many waiting orders, including orders of this batch. */
function assertRoom({ reads, changes }: BatchRun, { userId, tokenId }: PlaceOrder, before: WaitingOrder | null): void {
  if (before !== null) return
  const count = (token?: TokenId) => reads.waitingCounts.get(userId, token) + changes.moreWaiting.get(userId, token)
  if (count(tokenId) >= WAITING_MAX.token) throw new TooManyWaitingError(WAITING_MAX.token, true)
  if (count() >= WAITING_MAX.player) throw new TooManyWaitingError(WAITING_MAX.player, false)
}

/**
 * Throws an error if the player has less than the amount, if the price has already reached a stop, or if the order is
 * too small.
 */
function assertWorthWaiting(run: BatchRun, { pool, account }: Placing, { terms, userId }: PlaceOrder): void {
  const { kind, amount, price, stopPrice, leastPrice } = terms
  // If a cascade is running, it triggers stops at its lowest price so far.
  const low = Decimal.min(pool.price, pool.book.running?.low ?? pool.price)
  if (stopPrice?.gte(low)) throw new StopReachedError(priceText(low))
  if (kind === 'buy') {
    if (amount.lt(FILL_MIN)) throw new TooSmallToWaitError()
    if (amount.gt(account.balance)) throw new InsufficientBalanceError(account.balance, amount)
    return
  }
  const worst = leastPrice ?? stopPrice ?? price
  if (worst === null || amount.mul(worst).lt(FILL_MIN)) throw new TooSmallToWaitError()
  const held = getSellable({ pool, account, position: run.market.position(pool.tokenId, userId) }, run.nowMs)
  if (amount.gt(held)) throw new InsufficientTokensError(held, amount)
}

function toWaitingOrder(
  run: BatchRun,
  { pool, account }: Placing,
  { requestKey }: PendingOrder,
  order: PlaceOrder,
): WaitingOrder {
  const { terms, userId, keyId = null, spendingKeyId, replaces = null } = order
  const placedAtMs = getEventTime(pool, run.nowMs)
  const keyState = keyId === null ? 'none' : spendingKeyId === undefined ? 'free' : 'limited'
  return {
    ...terms,
    id: run.reads.nextOrderId(),
    tokenId: pool.tokenId,
    owner: { userId, accountId: account.id, isBot: order.isBot === true, standing: 'active', keyId, keyState },
    left: terms.amount,
    ...toTriggers(terms),
    filledIn: 0,
    fills: 0,
    placedAtMs,
    expiresAtMs: Math.min(placedAtMs + order.lastsMs, order.endsByMs ?? Number.POSITIVE_INFINITY),
    requestKey,
    replaces,
  }
}

function hasRoomNow({ kind, below, above }: WaitingOrder, { pool, price }: TokenPool): boolean {
  // Compare prices first, because this is cheaper than computing the reach, and most orders are far from the price.
  if (kind === 'buy') return below?.gte(price) === true && below.gte(computeReach(pool).buysFrom)
  return above?.lte(price) === true && above.lte(computeReach(pool).salesTo)
}
