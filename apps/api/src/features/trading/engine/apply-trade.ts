import {
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
import type { Trade, TradeEvent } from '../../../events/event.ts'
import { eventOfTrade } from '../../../events/event-of-trade.ts'
import type { BuyOrder, SellOrder } from '../../../orders.ts'
import { InsufficientBalanceError, InsufficientTokensError, SlippageExceededError, withMarketRules } from '../errors.ts'
import { tradeHash } from './chain-hash.ts'
import type { LockedAccount, LockedPool } from './market.ts'

/** What a trade meets: the rows it will change. */
export interface TradeScene {
  readonly pool: LockedPool
  readonly account: LockedAccount
  readonly position: Position
}

/** Given to a trade by the batch: its id in the journal, and the time. */
export interface TradeStamp {
  readonly tradeId: number
  readonly nowMs: number
}

/** A trade that is done, and the rows as it leaves them. */
export interface TradeEffect {
  readonly trade: Trade
  /** What it tells the world once it is committed. */
  readonly event: TradeEvent
  /** SOL the trader paid, or was paid before the fee. */
  readonly volume: Sol
  readonly priceBefore: LockedPool['price']
  readonly pool: LockedPool
  readonly account: LockedAccount
  readonly position: Position
}

/** Applies a buy. Throws a `DomainError` for the first rule it breaks; changes nothing itself. */
export function applyBuy(scene: TradeScene, order: BuyOrder, stamp: TradeStamp): TradeEffect {
  const { account } = scene
  return withMarketRules(() => {
    const quote = quoteBuy(scene.pool.pool, order.sol)
    if (account.balance.lt(order.sol)) throw new InsufficientBalanceError(account.balance, order.sol)
    if (order.minTokensOut?.gt(quote.tokensOut)) {
      throw new SlippageExceededError(`${tokensText(quote.tokensOut)} tokens`, `${tokensText(order.minTokensOut)}`)
    }
    return settle(scene, stamp, 'buy', {
      solAmount: order.sol,
      volume: order.sol,
      tokens: quote.tokensOut,
      quote,
      account: { ...account, balance: account.balance.sub(order.sol) },
      position: positionAfterBuy(scene.position, quote.tokensOut, order.sol),
    })
  })
}

/** Applies a sale. Throws a `DomainError` for the first rule it breaks; changes nothing itself. */
export function applySell(scene: TradeScene, order: SellOrder, stamp: TradeStamp): TradeEffect {
  const { account, position } = scene
  if (order.tokens.gt(position.amount)) throw new InsufficientTokensError(position.amount)
  return withMarketRules(() => {
    const quote = quoteSell(scene.pool.pool, order.tokens)
    if (order.minSolOut?.gt(quote.solOut)) {
      throw new SlippageExceededError(`${solText(quote.solOut)} SOL`, `${solText(order.minSolOut)} SOL`)
    }
    const sale = positionAfterSell(position, order.tokens, quote.solOut)
    return settle(scene, stamp, 'sell', {
      solAmount: quote.solOut,
      volume: quote.gross,
      tokens: order.tokens,
      quote,
      account: {
        ...account,
        balance: account.balance.add(quote.solOut),
        realizedPnl: account.realizedPnl.add(sale.realizedPnl),
      },
      position: sale.position,
    })
  })
}

interface Settlement {
  readonly solAmount: Sol
  readonly volume: Sol
  readonly tokens: Tokens
  readonly quote: { readonly fee: Sol; readonly price: Sol; readonly spotAfter: Sol; readonly pool: Pool }
  readonly account: LockedAccount
  readonly position: Position
}

function settle(scene: TradeScene, stamp: TradeStamp, side: Trade['side'], done: Settlement): TradeEffect {
  const { pool: before } = scene
  const { quote } = done
  // A token's time never goes back, whatever the clock does.
  const atMs = Math.max(stamp.nowMs, before.lastEventAtMs)
  const trade: Trade = {
    id: stamp.tradeId,
    tokenId: before.tokenId,
    seq: before.seq + 1,
    side,
    solAmount: solText(done.solAmount),
    fee: solText(quote.fee),
    tokenAmount: tokensText(done.tokens),
    price: priceText(quote.price),
    spotPrice: priceText(quote.spotAfter),
    createdAt: new Date(atMs).toISOString(),
    userId: done.account.userId,
    username: done.account.username,
  }
  const { account, position, volume } = done
  const event = eventOfTrade(trade, {
    solReserve: solText(quote.pool.sol),
    tokenReserve: tokensText(quote.pool.tokens),
    holding: tokensText(position.amount),
  })
  const pool: LockedPool = {
    tokenId: before.tokenId,
    pool: quote.pool,
    fees: before.fees.add(quote.fee),
    price: quote.spotAfter,
    seq: trade.seq,
    lastEventAtMs: atMs,
    chainHead: tradeHash(before.chainHead, trade, event.pool),
  }
  return { trade, event, volume, priceBefore: before.price, pool, account, position }
}
