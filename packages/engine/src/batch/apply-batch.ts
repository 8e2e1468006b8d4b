import type { TokenId } from '@papermoon/contract/ids'
import type { MarketEvent } from '@papermoon/contract/market-events'
import { formatTime } from '../clock.ts'
import {
  BusyError,
  DomainError,
  FairEndedError,
  NotSignedInError,
  RequestKeyReusedError,
  TokenNotFoundError,
} from '../errors.ts'
import { computeFingerprint, type PriorResponse, toPriorKey } from '../idempotency.ts'
import type { Outcome, PendingOrder, Receipt } from '../order-queue.ts'
import type { BuyOrder, LaunchOrder, Order, SellOrder } from '../orders.ts'
import type { BatchReads } from '../sql/read.ts'
import { applyCancel, applyPlace } from '../waiting/apply-place.ts'
import { countBatch, followChange, ReachedError, resumeCascade } from '../waiting/cascade.ts'
import { ALONE_MAX, toFillKey } from '../waiting/waiting-order.ts'
import { applyLaunch } from './apply-launch.ts'
import { applyRug } from './apply-rug.ts'
import { applySeal } from './apply-seal.ts'
import { applyBuy, applySell, chargeKey, toPlayerPosition } from './apply-trade.ts'
import {
  BatchChanges,
  type BatchRun,
  type JournalEntry,
  type PublishedWaiting,
  recordSpending,
  recordTrade,
} from './changes.ts'
import { type Account, getAccountId, type Market, type TokenPool } from './market.ts'

/** Orders that were applied to a market in memory and are not written yet. */
export interface AppliedBatch {
  readonly outcomes: readonly Outcome[]
  /** Orders that must wait for their token's cascade, and that a later batch takes. */
  readonly deferred: readonly PendingOrder[]
  readonly changes: BatchChanges
}

/**
 * Applies orders one after another. If an order breaks a rule, it is rejected without an effect on the other orders.
 */
export function applyBatch(
  market: Market,
  orders: readonly PendingOrder[],
  { reads, nowMs }: { readonly reads: BatchReads; readonly nowMs: number },
): AppliedBatch {
  const run: BatchRun = { market, changes: new BatchChanges(), reads, nowMs }
  for (const tokenId of reads.ranges.keys()) resumeCascade(run, tokenId)
  const outcomes: Outcome[] = []
  const deferred: PendingOrder[] = []
  for (const pending of orders) {
    const outcome = tryOrder(run, pending)
    if (outcome === null) deferred.push(pending)
    else outcomes.push(outcome)
  }
  for (const tokenId of reads.ranges.keys()) countBatch(run, tokenId)
  return { outcomes, deferred, changes: run.changes }
}

/** Returns whether any order is a repeat and gets the response of an earlier order. */
export function hasRepeats({ outcomes }: AppliedBatch): boolean {
  return outcomes.some((outcome) => 'receipt' in outcome && outcome.receipt.isRepeat)
}

/**
 * Publishes a committed batch's events, then responds to its orders. Callers who read right after the response
 * therefore see the events. The orders get their responses even if publishing fails.
 */
export function respondToBatch(
  { outcomes, changes }: AppliedBatch,
  report: {
    publish(batch: PublishedBatch): void
    /** This is called before the orders get their responses. */
    published(): void
    failed(error: unknown): void
  },
): void {
  try {
    const batch = toPublished(changes)
    if (batch !== null) report.publish(batch)
    report.published()
  } catch (error) {
    report.failed(error)
  }
  for (const outcome of outcomes) {
    if ('receipt' in outcome) outcome.pending.resolve(outcome.receipt)
    else outcome.pending.reject(outcome.refusal)
  }
}

/** Returns an order's outcome, or null if the order must wait for a cascade. */
function tryOrder(run: BatchRun, pending: PendingOrder): Outcome | null {
  const entries = run.changes.journal.length
  try {
    const receipt = applyOrder(run, pending)
    if (run.changes.journal.length === entries) recordUnmodified(run, pending)
    return { pending, receipt }
  } catch (error) {
    if (error instanceof DeferredError) return null
    if (!(error instanceof DomainError)) throw error
    recordUnmodified(run, pending)
    return { pending, refusal: error }
  }
}

/** Records the unchanged rows that an order's response depends on. The write also verifies these rows. */
function recordUnmodified({ market, changes }: BatchRun, { order }: PendingOrder): void {
  // Skip the check for waiting orders, because only locked batches place and cancel them.
  if (order.kind === 'place' || order.kind === 'cancel') return
  const account = market.account(getAccountId(order))
  if (account !== undefined) changes.unmodified.accounts.set(account.id, account)
  const pool = order.kind === 'launch' ? undefined : market.pool(order.tokenId)
  if (pool !== undefined) changes.unmodified.pools.set(pool.tokenId, pool)
}

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
  // If the token is hidden, only its holders can see and sell it.
  if (pool.isHidden && !isForHolders(order)) throw new TokenNotFoundError()
  if (order.kind === 'place') return applyPlace(run, { pool, account }, pending, order)
  if (order.kind === 'cancel') return applyCancel(run, { pool, account }, order)
  if (order.kind === 'rug') return applyRug(run, pool, account, pending)
  if (order.kind === 'seal') return applySeal(run, { pool, account }, pending, order)
  return applyTrade(run, order, { pool, account }, requestKey)
}

/** The order must wait for a running cascade, and a later batch takes it. */
class DeferredError extends Error {}

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

/** A market event with its position in the journal. */
export interface PlacedMarketEvent {
  readonly place: number
  readonly event: MarketEvent
}

/** The result of a committed batch. The batch's entries have the positions after `after`, up to `through`. */
export interface PublishedBatch {
  readonly after: number
  readonly through: number
  /** Events in the order of their positions. */
  readonly events: readonly PlacedMarketEvent[]
  readonly waiting: readonly PublishedWaiting[]
}

/** Returns the result of a committed batch, or null if the batch has no positions. */
function toPublished(changes: BatchChanges): PublishedBatch | null {
  const { after, positions } = changes
  if (after === null || positions === 0) return null
  const events = changes.journal.map((entry) => ({
    place: entry.kind === 'trade' ? entry.event.trade.id : entry.position,
    event: toMarketEvent(entry),
  }))
  return { after, through: after + positions, events, waiting: withFills(changes) }
}

function withFills(changes: BatchChanges): PublishedWaiting[] {
  if (changes.waiting.size === 0) return []
  const trades = new Map(changes.entries('trade').map(({ requestKey, event }) => [requestKey, event.trade]))
  return [...changes.waiting.values()].map((change) => {
    const { id, fills } = change.order
    return { ...change, fill: trades.get(toFillKey({ id, fills: fills - 1 })) ?? null }
  })
}

/** Returns the events that a committed batch publishes, in order. */
export function toMarketEvents(changes: BatchChanges): MarketEvent[] {
  return changes.journal.map(toMarketEvent)
}

function toMarketEvent(entry: JournalEntry): MarketEvent {
  if (entry.kind === 'rug') return entry.rug
  if (entry.kind === 'trade' || entry.kind === 'seal') return entry.event
  const { tokenId, order, creator, atMs } = entry
  const { name, symbol, emoji } = order.token
  const createdAt = formatTime(atMs)
  return { type: 'token_launched', tokenId, seq: 0, name, symbol, emoji, creator, createdAt }
}
