export { ID_MAX, type TokenId, tokenId, type UserId, userId } from '@papermoon/contract/ids'
export {
  type MarketEvent,
  marketEvent,
  type PoolState,
  poolState,
  type RugPullEvent,
  rugPullEvent,
  type Seal,
  type SealEvent,
  type TokenLaunchedEvent,
  type Trade,
  tokenLaunchedEvent,
  trade,
  tradeEvent,
} from '@papermoon/contract/market-events'
export type { PlacedMarketEvent, PublishedBatch } from './batch/events.ts'
export type { BatchFigures, EngineObserver } from './batch-times.ts'
export { CANDLE_WIDTHS, type CandleWidth } from './candle-widths.ts'
export { type Clock, systemClock } from './clock.ts'
export {
  BusyError,
  DomainError,
  type ErrorDetails,
  FairEndedError,
  NotSignedInError,
  OutcomeUnknownError,
  TokenNotFoundError,
} from './errors.ts'
export { type SealRow, type TradeRow, toSeal, toTrade } from './events/journal-rows.ts'
export { toTradeEvent } from './events/trade-event.ts'
export type { OrderStep, OrderTrace } from './order-trace.ts'
export type {
  BuyOrder,
  CancelOrder,
  DryRun,
  LaunchFair,
  LaunchOrder,
  Order,
  OrderEntry,
  PlaceOrder,
  ReceiptByKind,
  SealRequest,
  SellOrder,
} from './orders.ts'
export { paceReceipts } from './paced-receipts.ts'
export { type LaunchQuote, type OrderQuote, type QuoteRequest, quoteLaunch, quoteTrade } from './quote-order.ts'
export { toWaitingChange } from './sql/waiting-reads.ts'
export { systemTimers, type Timers } from './timers.ts'
export {
  createTradingEngine,
  ENGINE_LIMITS,
  type EngineLimits,
  type OwnEngine,
  type TradingEngine,
} from './trading-engine.ts'
export type { WaitingChange } from './waiting/waiting-order.ts'
export { toWaitingView } from './waiting/waiting-view.ts'
