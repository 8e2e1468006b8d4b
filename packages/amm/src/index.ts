export { FEE_RATE, LAUNCH_FEE, STARTING_BALANCE, SUPPLY, USD_PER_SOL, VIRTUAL_SOL } from './constants.ts'
export { Decimal } from './decimal.ts'
export {
  AmmError,
  type AmmErrorCode,
  AmountError,
  AmountTooLargeError,
  InsufficientLiquidityError,
  InsufficientTokensError,
  NotANumberError,
  NotPositiveError,
  OutputIsZeroError,
  PoolClosedError,
} from './errors.ts'
export { estimateBuy, estimateSell } from './estimate.ts'
export { buyBound, computeReach, FILL_MIN, LEAST_SHARE, type Reach, saleBound, solUntil, tokensUntil } from './limit.ts'
export { percentText } from './percent.ts'
export {
  assertOpen,
  type BuyQuote,
  cashOutValue,
  computeFee,
  computeMarketCap,
  launchPool,
  marketCap,
  type Pool,
  type PoolState,
  type Position,
  type PositionSale,
  positionAfterBuy,
  positionAfterSell,
  quoteBuy,
  quoteSell,
  readPool,
  realSol,
  rugPool,
  type SellQuote,
  spotPrice,
} from './pool.ts'
export { leastAccepted } from './slippage.ts'
export {
  PRICE_DECIMALS,
  type Price,
  parsePrice,
  parseSol,
  parseTokens,
  priceText,
  SOL_DECIMALS,
  SOL_MAX,
  type Sol,
  solText,
  TOKEN_DECIMALS,
  TOKENS_MAX,
  type Tokens,
  tokensText,
} from './units.ts'
export {
  breakEvenPrice,
  type Gain,
  gainBetween,
  netWorth,
  type Stake,
  stakeWorth,
  unrealizedProfit,
  type WorthSpan,
} from './worth.ts'
