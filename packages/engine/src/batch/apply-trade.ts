import {
  Decimal,
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
import { InsufficientBalanceError, InsufficientTokensError, SlippageExceededError, withMarketRules } from '../errors.ts'
import type { Trade, TradeEvent } from '../market-events.ts'
import type { BuyOrder, PlayerPosition, SellOrder } from '../orders.ts'
import { timeText } from '../sql/time-text.ts'
import { toTradeEvent } from '../trade-event.ts'
import { tradeHash } from './chain-hash.ts'
import { type Account, type TokenPool, withBalance } from './market.ts'

/** What a trade meets: the rows it will change. */
export interface TradeScene {
  readonly pool: TokenPool
  readonly account: Account
  readonly position: Position
}

/** A trade that is done, and the rows as it leaves them. */
export interface TradeEffect {
  /** The trade, its id still 0, and what it tells the world once it is committed. */
  readonly event: TradeEvent
  /** SOL the trader paid, or was paid before the fee. */
  readonly volume: Sol
  /** SOL. */
  readonly realizedPnl: Sol
  readonly pool: TokenPool
  readonly account: Account
  /** What the trader has afterwards. */
  readonly position: PlayerPosition
}

/** Applies a buy. Throws a `DomainError` for the first rule it breaks; changes nothing itself. */
export function applyBuy(scene: TradeScene, order: BuyOrder, nowMs: number): TradeEffect {
  const { account } = scene
  return withMarketRules(() => {
    const quote = quoteBuy(scene.pool.pool, order.sol)
    if (account.balance.lt(order.sol)) throw new InsufficientBalanceError(account.balance, order.sol)
    if (order.minTokensOut?.gt(quote.tokensOut)) {
      throw new SlippageExceededError(`${tokensText(quote.tokensOut)} tokens`, `${tokensText(order.minTokensOut)}`)
    }
    return settle(scene, nowMs, 'buy', {
      solAmount: order.sol,
      volume: order.sol,
      tokens: quote.tokensOut,
      quote,
      balance: account.balance.sub(order.sol),
      realizedPnl: NOTHING,
      position: positionAfterBuy(scene.position, quote.tokensOut, order.sol),
    })
  })
}

/** Applies a sale. Throws a `DomainError` for the first rule it breaks; changes nothing itself. */
export function applySell(scene: TradeScene, order: SellOrder, nowMs: number): TradeEffect {
  const { account, position } = scene
  if (order.tokens.gt(position.amount)) throw new InsufficientTokensError(position.amount)
  return withMarketRules(() => {
    const quote = quoteSell(scene.pool.pool, order.tokens)
    if (order.minSolOut?.gt(quote.solOut)) {
      throw new SlippageExceededError(`${solText(quote.solOut)} SOL`, `${solText(order.minSolOut)} SOL`)
    }
    const sale = positionAfterSell(position, order.tokens, quote.solOut)
    return settle(scene, nowMs, 'sell', {
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

const NOTHING = new Decimal(0)

interface Settlement {
  readonly solAmount: Sol
  readonly volume: Sol
  readonly tokens: Tokens
  readonly quote: { readonly fee: Sol; readonly price: Sol; readonly spotAfter: Sol; readonly pool: Pool }
  readonly balance: Sol
  readonly realizedPnl: Sol
  readonly position: Position
}

function settle(scene: TradeScene, nowMs: number, side: Trade['side'], done: Settlement): TradeEffect {
  const { pool: before, account } = scene
  const { quote, volume, realizedPnl } = done
  const after = withBalance(account, done.balance)
  const position = toPlayerPosition(after, done.position)
  // A token's time never goes back, whatever the clock does.
  const atMs = Math.max(nowMs, before.lastEventAtMs)
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
    createdAt: timeText(atMs),
    userId: account.userId,
    username: account.username,
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

/** Formats a player's balance and holding. */
export function toPlayerPosition(account: Account, position: Position): PlayerPosition {
  return {
    balance: account.balanceText,
    amount: tokensText(position.amount),
    cost: solText(position.cost),
  }
}
