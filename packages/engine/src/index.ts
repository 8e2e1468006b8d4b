export { CANDLE_WIDTHS, type CandleWidth } from './candle-widths.ts'
export { type Clock, systemClock } from './clock.ts'
export {
  BusyError,
  DomainError,
  NotSignedInError,
  OutcomeUnknownError,
  TokenNotFoundError,
  type TradingErrorCode,
} from './errors.ts'
export { ID_MAX, type TokenId, tokenId, type UserId, userId } from './ids.ts'
export { type TradeRow, tradeOf } from './journal-rows.ts'
export {
  type MarketEvent,
  marketEvent,
  type PoolState,
  poolState,
  type RugPullEvent,
  type TokenLaunchedEvent,
  type Trade,
  type TradeEvent,
  trade,
} from './market-events.ts'
export type {
  BuyOrder,
  LaunchOrder,
  Order,
  ReceiptOf,
  RugOrder,
  SellOrder,
  Standing,
  TokenDescription,
  TradeReceipt,
  TradingDesk,
} from './orders.ts'
export { answersInTurns } from './paced-receipts.ts'
export { eventOfTrade } from './trade-event.ts'
export { type ClosableDesk, createTradingDesk, DESK_LIMITS, type DeskLimits } from './trading-engine.ts'
