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
export type { PlacedMarketEvent, PublishedBatch } from './batch/apply-batch.ts'
export { type Clock, systemClock, systemTimers, type Timers } from './clock.ts'
export {
  BusyError,
  DomainError,
  type ErrorDetails,
  FairEndedError,
  NotSignedInError,
  OutcomeUnknownError,
  TokenNotFoundError,
} from './errors.ts'
export { type SealRow, type TradeRow, toSeal, toTrade, toTradeEvent } from './events/journal.ts'
export type { BatchFigures, EngineObserver } from './order-queue.ts'
export type {
  BuyOrder,
  CancelOrder,
  DryRun,
  LaunchFair,
  LaunchOrder,
  Order,
  OrderEntry,
  OrderStep,
  OrderTrace,
  PlaceOrder,
  ReceiptByKind,
  SealRequest,
  SellOrder,
} from './orders.ts'
export { type LaunchQuote, type OrderQuote, type QuoteRequest, quoteLaunch, quoteTrade } from './quote-order.ts'
export { toWaitingChange } from './sql/waiting-reads.ts'
export { CANDLE_WIDTHS, type CandleWidth } from './sql/write.ts'
export {
  createTradingEngine,
  ENGINE_LIMITS,
  type EngineLimits,
  type OwnEngine,
  paceReceipts,
  type TradingEngine,
} from './trading-engine.ts'
export type { WaitingChange } from './waiting/waiting-order.ts'
export { toWaitingView } from './waiting/waiting-order.ts'
