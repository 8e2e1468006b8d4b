export type { LaunchEvent, MarketEvent, RugEvent, TradeEvent } from './events.ts'
export { patchChart } from './patch-chart.ts'
export { patchHolders } from './patch-holders.ts'
export { patchMovers } from './patch-movers.ts'
export type { PatchResult } from './patch-result.ts'
export { patchToken } from './patch-token.ts'
export { patchTokenPage } from './patch-token-page.ts'
export { patchTrades } from './patch-trades.ts'
export type {
  Candle,
  Chart,
  Holder,
  Movers,
  PoolState,
  Token,
  TokenId,
  TokenPage,
  Trade,
  UserId,
} from './query-results.ts'
export { tokenAtLaunch } from './token-at-launch.ts'
