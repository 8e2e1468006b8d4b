import {
  computeReach,
  Decimal,
  FILL_MIN,
  type Price,
  type Sol,
  saleBound,
  solUntil,
  type Tokens,
  tokensUntil,
} from '@papermoon/amm'
import type { TokenId } from '@papermoon/contract/ids'
import {
  applyBuy,
  applySell,
  chargeKey,
  getEventTime,
  getSellable,
  leftToSpend,
  type TradeContext,
} from '../batch/apply-trade.ts'
import { type BatchRun, recordBook, recordSpending, recordTrade, recordWaiting } from '../batch/changes.ts'
import type { Account, TokenPool } from '../batch/market.ts'
import { DomainError } from '../errors.ts'
import type { OrderRange, Turn } from './order-range.ts'
import {
  type OrderBook,
  type RunningCascade,
  STEPS_BESIDE,
  toFillKey,
  triggerStop,
  type WaitingOrder,
  withTriggers,
} from './waiting-order.ts'

/**
 * A price reached waiting orders that the batch has not read. The batch runs again with locked rows and reads the range
 * of these orders.
 */
export class ReachedError extends Error {
  readonly tokenId: TokenId
  constructor(tokenId: TokenId) {
    super(`token ${tokenId} has reached orders that wait`)
    this.tokenId = tokenId
  }
}

/** Fills the orders that a trade has reached, if any. `from` is the price before the trade. Throws `ReachedError`. */
export function followChange(run: BatchRun, tokenId: TokenId, from: Price): void {
  const pool = run.market.pool(tokenId)
  if (pool !== undefined && isReached(pool)) startCascade(run, tokenId, from)
}

/** Begins a cascade. `from` is the price before the trade that reached the waiting orders. Throws `ReachedError`. */
export function startCascade(run: BatchRun, tokenId: TokenId, from: Price): void {
  const pool = requirePool(run, tokenId)
  const { book, price } = pool
  const range = requireRange(run, tokenId)
  // If another cascade is running, the new one takes over its lowest price.
  const low = book.running === null ? price : Decimal.min(book.running.low, price)
  const running = { from, low, batches: book.running?.batches ?? 0 }
  recordBook(run, { ...pool, book: { ...book, cascade: book.cascade + 1, running } })
  goOn(run, tokenId, range)
}

/** Continues a cascade that earlier batches have not finished, if there is one. Throws `ReachedError`. */
export function resumeCascade(run: BatchRun, tokenId: TokenId): void {
  const pool = run.market.pool(tokenId)
  if (pool === undefined || pool.book.running === null) return
  const range = requireRange(run, tokenId)
  if (pool.closing?.isPast === true || pool.price.isZero()) endCascade(run, pool)
  else goOn(run, tokenId, range)
}

/** Increases a cascade's number of batches if this batch does not finish it. */
export function countBatch(run: BatchRun, tokenId: TokenId): void {
  const pool = run.market.pool(tokenId)
  if (pool === undefined || pool.book.running === null) return
  const { running } = pool.book
  const isLong = (run.reads.ranges.get(tokenId)?.steps ?? 0) > STEPS_BESIDE
  setRunning(run, pool, { ...running, batches: running.batches + (isLong ? 2 : 1) })
}

function requireRange({ reads }: BatchRun, tokenId: TokenId): OrderRange {
  const range = reads.ranges.get(tokenId)
  if (range === undefined) throw new ReachedError(tokenId)
  return range
}

/**
 * Makes steps of the cascade. Stops if the price reaches no further order, if the batch has made its max number of
 * steps, or if the next order is outside the range.
 */
function goOn(run: BatchRun, tokenId: TokenId, range: OrderRange): void {
  for (;;) {
    const pool = requirePool(run, tokenId)
    const { cascade, running } = pool.book
    if (running === null || !range.serves(cascade)) return
    const turn = range.next(pool.pool, { ...running, cascade })
    if (turn === null) {
      endCascade(run, pool)
      return
    }
    if (turn === undefined || range.steps === range.stepsMax) return
    const account = run.market.account(turn.order.owner.accountId)
    // Stop here, because another transaction has locked the account. The next batch may be able to lock it.
    if (account === undefined) return
    range.steps++
    takeTurn(run, { pool, account, range }, turn)
    noteStep(run, requirePool(run, tokenId), range.get(turn.order.id))
  }
}

/** Records the lowest price, and the new trigger of a triggered stop. */
function noteStep(run: BatchRun, pool: TokenPool, triggered: WaitingOrder | undefined): void {
  const book = triggered === undefined ? pool.book : withTriggers(pool.book, triggered)
  const { running } = book
  if (running !== null && pool.price.lt(running.low)) {
    recordBook(run, { ...pool, book: { ...book, running: { ...running, low: pool.price } } })
  } else if (book !== pool.book) recordBook(run, { ...pool, book })
}

function endCascade(run: BatchRun, pool: TokenPool): void {
  setRunning(run, pool, null)
}

function setRunning(run: BatchRun, pool: TokenPool, running: RunningCascade | null): void {
  recordBook(run, { ...pool, book: { ...pool.book, running } })
}

function requirePool({ market }: BatchRun, tokenId: TokenId): TokenPool {
  const pool = market.pool(tokenId)
  if (pool === undefined) throw new Error(`no pool of token ${tokenId}`)
  return pool
}

interface FillContext {
  readonly pool: TokenPool
  readonly account: Account
  readonly range: OrderRange
}

/** Fills an order, triggers a stop, or ends an order that cannot fill. */
function takeTurn(run: BatchRun, context: FillContext, { order, list }: Turn): void {
  const { pool, range } = context
  const atMs = getEventTime(pool, run.nowMs)
  const cause = findCause(order, pool, atMs)
  if (cause !== null) {
    endOrder(run, range, order, { state: cause === 'EXPIRED' ? 'expired' : 'cancelled', cause, atMs })
    return
  }
  const due = list === 'stops' ? triggerStop(order) : order
  try {
    const filled = isWithinLimit(due, pool) ? fill(run, context, due) : due
    if (filled !== due && isUsedUp(filled)) endOrder(run, range, order, { filled, state: 'filled', cause: null, atMs })
    else {
      range.set(filled)
      recordWaiting(run, order, { order: filled, state: 'waiting', cause: null, endedAtMs: null })
    }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    endOrder(run, range, order, { filled: due, state: 'cancelled', cause: error.code, atMs })
  }
}

/** Returns whether an order can trade at this price. The price may be below the minimum price of a triggered stop. */
function isWithinLimit({ kind, above }: WaitingOrder, { pool }: TokenPool): boolean {
  return kind === 'buy' || above === null || above.lte(computeReach(pool).salesTo)
}

/** Returns the reason why an order cannot fill with any amount, if there is one. */
function findCause({ kind, owner, expiresAtMs }: WaitingOrder, { isHidden }: TokenPool, atMs: number): string | null {
  if (expiresAtMs <= atMs) return 'EXPIRED'
  if (owner.standing === 'frozen') return 'ACCOUNT_FROZEN'
  if (owner.keyState === 'revoked') return 'API_KEY_INVALID'
  if (kind !== 'buy') return null
  if (owner.standing === 'suspended') return 'ACCOUNT_SUSPENDED'
  return isHidden ? 'HIDDEN' : null
}

/** Returns the order after a fill. Throws a `DomainError` if the player has too little SOL or too few tokens. */
function fill(run: BatchRun, target: FillContext, order: WaitingOrder): WaitingOrder {
  const { tokenId, owner } = order
  const context = { ...target, position: run.market.position(tokenId, owner.userId) }
  const who = { userId: owner.userId, tokenId, isBot: owner.isBot }
  let amount: Decimal
  if (order.kind === 'buy') {
    amount = chooseSol(run, context, order)
    const spendingKeyId = owner.keyState === 'limited' ? (owner.keyId ?? undefined) : undefined
    const buy = { kind: 'buy', ...who, sol: amount, spendingKeyId } as const
    const effect = applyBuy(context, buy, run.nowMs)
    recordSpending(run, chargeKey(run, buy))
    recordTrade(run, effect, toFillKey(order))
  } else {
    amount = chooseTokens(run, context, order)
    recordTrade(run, applySell(context, { kind: 'sell', ...who, tokens: amount }, run.nowMs), toFillKey(order))
  }
  const { cascade } = target.pool.book
  return { ...order, left: order.left.sub(amount), fills: order.fills + 1, filledIn: cascade }
}

/**
 * Returns the SOL for a fill, limited by price, balance and the key's spending limit. If this amount is too small,
 * returns the smallest possible fill, for which the caller throws the error.
 */
function chooseSol(run: BatchRun, { pool, account }: TradeContext, { left, below, owner }: WaitingOrder): Sol {
  const limit = owner.keyState === 'limited' ? run.market.spending(owner.keyId ?? 0) : undefined
  const wanted = Decimal.min(left, account.balance, limit === undefined ? left : leftToSpend(limit, run.nowMs))
  return wanted.lt(FILL_MIN) || below === null ? FILL_MIN : solUntil(pool.pool, below, wanted)
}

/**
 * Returns the tokens for a fill, limited by price and holding. If there are too few of these tokens, returns all
 * remaining tokens, for which the caller throws the error.
 */
function chooseTokens(run: BatchRun, context: TradeContext, { left, above }: WaitingOrder): Tokens {
  const { pool } = context
  const held = Decimal.min(left, getSellable(context, run.nowMs))
  if (held.lt(left) && held.mul(pool.price).lt(FILL_MIN)) return left
  return above === null || above.isZero() ? held : tokensUntil(pool.pool, above, held)
}

/**
 * Returns whether the remaining amount is too small to keep waiting: under 0.001 SOL at its limit price, or at the
 * lower limit price of a bracket.
 */
function isUsedUp({ kind, left, above, leastPrice }: WaitingOrder): boolean {
  if (left.isZero()) return true
  if (kind === 'buy') return left.lt(FILL_MIN)
  const bound = leastPrice === null ? above : saleBound(leastPrice)
  return bound !== null && !bound.isZero() && left.mul(bound).lt(FILL_MIN)
}

interface End {
  /** The order after its last fill or trigger (default: the unchanged order). */
  readonly filled?: WaitingOrder
  readonly state: 'filled' | 'cancelled' | 'expired'
  readonly cause: string | null
  readonly atMs: number
}

/** Ends an order and removes it from the range. */
export function endOrder(run: BatchRun, range: OrderRange | undefined, order: WaitingOrder, end: End): void {
  const { filled = order, state, cause, atMs } = end
  range?.remove(order.id)
  recordWaiting(run, order, { order: filled, state, cause, endedAtMs: atMs })
}

/** Returns whether a price may have reached a waiting order. The price of a closed pool is 0 and reaches no orders. */
export function isReached({
  price,
  book: { below, above },
}: {
  readonly price: Price
  readonly book: OrderBook
}): boolean {
  if (price.isZero()) return false
  return (below !== null && price.lte(below)) || (above !== null && price.gte(above))
}
