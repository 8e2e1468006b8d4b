import {
  AmmError,
  Decimal,
  LAUNCH_FEE,
  type Pool,
  type Position,
  positionAfterBuy,
  positionAfterSell,
  priceText,
  quoteBuy,
  quoteSell,
  type Sol,
  solText,
  type Tokens,
  tokensText,
} from '@papermoon/amm'
import type { Trade, TradeEvent } from '@papermoon/contract/market-events'
import { formatTime } from '../clock.ts'
import {
  BagSealedError,
  InsufficientBalanceError,
  InsufficientTokensError,
  KeyRevokedError,
  MarketRuleError,
  SlippageExceededError,
  SpendingLimitError,
} from '../errors.ts'
import { toTradeEvent, tradeHash } from '../events/journal.ts'
import type { BuyOrder, LaunchOrder, Order, PlayerPosition, SellOrder } from '../orders.ts'
import { type Account, type KeySpending, type Market, type TokenPool, withBalance } from './market.ts'

/** The rows that a trade changes. */
export interface TradeContext {
  readonly pool: TokenPool
  readonly account: Account
  readonly position: Position
}

export interface TradeEffect {
  /** The event to publish after the commit. Until the write, the id of the trade in this event is 0. */
  readonly event: TradeEvent
  /** SOL that a buyer paid, or that a seller received before the fee. */
  readonly volume: Sol
  readonly realizedPnl: Sol
  readonly pool: TokenPool
  readonly account: Account
  readonly position: PlayerPosition
}

/** Computes a buy without changing anything. Throws a `DomainError` for the first rule that the order breaks. */
export function applyBuy(context: TradeContext, order: BuyOrder, nowMs: number): TradeEffect {
  const { account } = context
  return withMarketRules(() => {
    const quote = quoteBuy(context.pool.pool, order.sol)
    if (account.balance.lt(order.sol)) throw new InsufficientBalanceError(account.balance, order.sol)
    if (order.minTokensOut?.gt(quote.tokensOut)) {
      throw new SlippageExceededError(tokensText(quote.tokensOut), tokensText(order.minTokensOut), 'tokens')
    }
    return createEffect(context, nowMs, 'buy', {
      isBot: order.isBot === true,
      solAmount: order.sol,
      volume: order.sol,
      tokens: quote.tokensOut,
      quote,
      balance: account.balance.sub(order.sol),
      realizedPnl: ZERO,
      position: positionAfterBuy(context.position, quote.tokensOut, order.sol),
    })
  })
}

/** Computes a sale without changing anything. Throws a `DomainError` for the first rule that the order breaks. */
export function applySell(context: TradeContext, order: SellOrder, nowMs: number): TradeEffect {
  const { account, position } = context
  if (order.tokens.gt(position.amount)) throw new InsufficientTokensError(position.amount, order.tokens)
  return withMarketRules(() => {
    const quote = quoteSell(context.pool.pool, order.tokens)
    assertBagUnsealed(context, order, nowMs)
    if (order.minSolOut?.gt(quote.solOut)) {
      throw new SlippageExceededError(solText(quote.solOut), solText(order.minSolOut), 'SOL')
    }
    const sale = positionAfterSell(position, order.tokens, quote.solOut)
    return createEffect(context, nowMs, 'sell', {
      isBot: order.isBot === true,
      solAmount: quote.solOut,
      volume: quote.gross,
      tokens: order.tokens,
      quote,
      balance: account.balance.add(quote.solOut),
      realizedPnl: sale.realizedPnl,
      position: sale.position,
    })
  })
}

/** Returns the number of tokens that a player can sell now: all except the creator's sealed tokens. */
export function getSellable({ pool, account, position }: TradeContext, nowMs: number): Tokens {
  const sealed = isBagSealed({ pool, account }, nowMs) ? pool.seal.bagTokens : ZERO
  return Decimal.max(position.amount.sub(sealed), ZERO)
}

function isBagSealed({ pool, account }: Pick<TradeContext, 'pool' | 'account'>, nowMs: number): boolean {
  const { bagUntilMs } = pool.seal
  return bagUntilMs !== null && pool.creatorId === account.userId && Math.max(nowMs, pool.lastEventAtMs) < bagUntilMs
}

/** Throws `BagSealedError` if the creator would have fewer tokens than they sealed. */
function assertBagUnsealed({ pool, account, position }: TradeContext, order: SellOrder, nowMs: number): void {
  const { bagUntilMs: untilMs, bagTokens: sealed } = pool.seal
  if (untilMs === null || !isBagSealed({ pool, account }, nowMs)) return
  if (position.amount.sub(order.tokens).lt(sealed)) throw new BagSealedError({ untilMs, sealed, held: position.amount })
}

/**
 * Returns the time of a token's next event, in Unix ms. This time is not before the last event, even if the clock was
 * set back, and not after the fair's end.
 */
export function getEventTime({ lastEventAtMs, closing }: TokenPool, nowMs: number): number {
  return Math.min(Math.max(nowMs, lastEventAtMs), (closing?.atMs ?? Number.POSITIVE_INFINITY) - 1)
}

const ZERO = new Decimal(0)

interface TradeAmounts {
  readonly isBot: boolean
  readonly solAmount: Sol
  readonly volume: Sol
  readonly tokens: Tokens
  readonly quote: { readonly fee: Sol; readonly price: Sol; readonly spotAfter: Sol; readonly pool: Pool }
  readonly balance: Sol
  readonly realizedPnl: Sol
  readonly position: Position
}

function createEffect(context: TradeContext, nowMs: number, side: Trade['side'], done: TradeAmounts): TradeEffect {
  const { pool: before, account } = context
  const { quote, volume, realizedPnl } = done
  const after = withBalance(account, done.balance)
  const position = toPlayerPosition(after, done.position)
  const atMs = getEventTime(before, nowMs)
  const trade: Trade = {
    id: 0,
    tokenId: before.tokenId,
    seq: before.seq + 1,
    side,
    solAmount: solText(done.solAmount),
    fee: solText(quote.fee),
    tokenAmount: tokensText(done.tokens),
    price: priceText(quote.price),
    spotPrice: priceText(quote.spotAfter),
    createdAt: formatTime(atMs),
    userId: account.userId,
    username: account.username,
    isBot: done.isBot,
  }
  const event = toTradeEvent(trade, {
    pool: quote.pool,
    spotPrice: quote.spotAfter,
    volume: volume === done.solAmount ? trade.solAmount : solText(volume),
    holding: position.amount,
  })
  const pool: TokenPool = {
    ...before,
    pool: quote.pool,
    fees: before.fees.add(quote.fee),
    price: quote.spotAfter,
    seq: trade.seq,
    lastEventAtMs: atMs,
    chainHead: tradeHash(before.chainHead, trade, event.pool),
  }
  return { event, volume, realizedPnl, pool, account: after, position }
}

export function toPlayerPosition(account: Account, position: Position): PlayerPosition {
  return {
    balance: account.balanceText,
    amount: tokensText(position.amount),
    cost: solText(position.cost),
  }
}

/**
 * Returns the key's spending after this order, or null if the key has no limit. Throws `SpendingLimitError` if the
 * order exceeds the limit, and `KeyRevokedError` if the key was revoked.
 */
export function chargeKey(
  { market, nowMs }: { readonly market: Market; readonly nowMs: number },
  order: Order,
): KeySpending | null {
  const { spendingKeyId: keyId } = order
  if (keyId === undefined || (order.kind !== 'buy' && order.kind !== 'launch')) return null
  const before = market.spending(keyId)
  if (before === undefined) throw new KeyRevokedError()
  const { day, spent } = spentToday(before, nowMs)
  const needed = computeCost(order)
  const after = spent.add(needed)
  if (after.gt(before.limit)) {
    throw new SpendingLimitError({ limit: before.limit, left: before.limit.sub(spent), needed, day })
  }
  return { ...before, spent: after, day }
}

/** Returns how much SOL a key can still spend on the day of `nowMs`. */
export function leftToSpend(key: KeySpending, nowMs: number): Sol {
  return Decimal.max(key.limit.sub(spentToday(key, nowMs).spent), 0)
}

function spentToday(key: KeySpending, nowMs: number): Pick<KeySpending, 'day' | 'spent'> {
  const today = new Date(nowMs).toISOString().slice(0, 10)
  // Use the later day, because the clocks of two nodes may differ at midnight, and the sum must not start again from 0.
  const day = [today, key.day].sort().at(-1) ?? today
  return { day, spent: day === key.day ? key.spent : new Decimal(0) }
}

/**
 * Returns the SOL that counts against the limit: a buy including its fee, or a launch including its fee and first buy.
 */
function computeCost(order: BuyOrder | LaunchOrder): Sol {
  if (order.kind === 'buy') return order.sol
  return order.initialBuy === undefined ? LAUNCH_FEE : LAUNCH_FEE.add(order.initialBuy)
}

/** Runs calculations of the AMM. Converts an `AmmError` to a `MarketRuleError`. */
export function withMarketRules<T>(compute: () => T): T {
  try {
    return compute()
  } catch (error) {
    throw error instanceof AmmError ? new MarketRuleError(error) : error
  }
}
