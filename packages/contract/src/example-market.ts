import {
  computeMarketCap,
  Decimal,
  launchPool,
  type Pool,
  priceText,
  quoteBuy,
  quoteSell,
  realSol,
  rugPool,
  SOL_DECIMALS,
  solText,
  spotPrice,
  tokensText,
} from '@papermoon/amm'

/**
 * A small market for the API's examples, computed by the real rules. luna launches token 7, buys for 1 SOL, then sells
 * everything or pulls the rug.
 */
export const LAUNCHED_AT = '2026-03-01T12:00:00.000Z'
export const TRADED_AT = '2026-03-01T12:05:00.000Z'
export const RUGGED_AT = '2026-03-01T12:07:00.000Z'

export const CREATOR = { id: 3, username: 'luna', isBot: false }
export const TOKEN_NAMES = { name: 'Paper Moon', symbol: 'MOON', emoji: '🌙' }
const TOKEN_ID = 7

const launched = launchPool()
const bought = quoteBuy(launched, new Decimal(1))
const sold = quoteSell(bought.pool, bought.tokensOut)
/** A second player, who buys after luna and still holds tokens when she pulls the rug. */
export const VICTIM = quoteBuy(bought.pool, new Decimal('11.5'))

export const LAUNCH_PRICE = priceText(spotPrice(launched))
export const POOL = toPoolState(bought.pool)
export const CURRENT_PRICE = priceText(bought.spotAfter)
export const MARKET_CAP = toMarketCap(bought.pool)
export const VOLUME = solText(bought.solIn)
export const BOUGHT = tokensText(bought.tokensOut)
export const MARK_VALUE = solText(
  bought.tokensOut.mul(bought.spotAfter).toDecimalPlaces(SOL_DECIMALS, Decimal.ROUND_DOWN),
)
/** SOL that luna would get for selling all her tokens. */
export const CASH_OUT = solText(sold.solOut)

const TRADE = { tokenId: TOKEN_ID, createdAt: TRADED_AT, userId: CREATOR.id, username: CREATOR.username, isBot: false }
export const BUY_TRADE = {
  id: 41,
  seq: 1,
  side: 'buy',
  solAmount: VOLUME,
  fee: solText(bought.fee),
  tokenAmount: BOUGHT,
  price: priceText(bought.price),
  spotPrice: CURRENT_PRICE,
  ...TRADE,
} as const
export const SELL_TRADE = {
  id: 42,
  seq: 2,
  side: 'sell',
  solAmount: CASH_OUT,
  fee: solText(sold.fee),
  tokenAmount: BOUGHT,
  price: priceText(sold.price),
  spotPrice: priceText(sold.spotAfter),
  ...TRADE,
} as const

export const LAUNCH_EVENT = {
  type: 'token_launched',
  tokenId: TOKEN_ID,
  seq: 0,
  ...TOKEN_NAMES,
  creator: CREATOR,
  createdAt: LAUNCHED_AT,
} as const
export const BUY_EVENT = {
  type: 'trade',
  tokenId: TOKEN_ID,
  seq: 1,
  trade: BUY_TRADE,
  pool: POOL,
  currentPrice: CURRENT_PRICE,
  marketCap: MARKET_CAP,
  volume: VOLUME,
  holding: BOUGHT,
} as const
export const RUG_EVENT = {
  type: 'rug_pull',
  tokenId: TOKEN_ID,
  seq: 2,
  userId: CREATOR.id,
  username: CREATOR.username,
  isBot: false,
  amount: solText(rugPool(bought.pool).drained),
  createdAt: RUGGED_AT,
} as const

export const SEALED_AT = '2026-03-01T12:06:00.000Z'
/** The seal in the examples. luna seals the liquidity and her tokens for a day. */
export const SEAL = {
  liquidityUntil: '2026-03-02T12:06:00.000Z',
  bagUntil: '2026-03-02T12:06:00.000Z',
  bagTokens: BOUGHT,
}
export const SEAL_EVENT = {
  type: 'seal',
  tokenId: TOKEN_ID,
  kind: 'sealed',
  number: 1,
  seq: 1,
  userId: CREATOR.id,
  username: CREATOR.username,
  isBot: false,
  seal: SEAL,
  createdAt: SEALED_AT,
} as const

export const FAIR_EVENT = {
  type: 'fair',
  moment: 'settled',
  fairId: 12,
  name: 'Arena 13:00 UTC',
  note: null,
  podium: [{ place: 1, userId: CREATOR.id, username: CREATOR.username, isBot: false, score: '104.2' }],
  createdAt: '2026-03-01T13:14:40.000Z',
} as const

export function toMarketCap(pool: Pool): string {
  return priceText(computeMarketCap(spotPrice(pool)))
}

function toPoolState(pool: Pool) {
  return { solReserve: solText(pool.sol), tokenReserve: tokensText(pool.tokens), realSol: solText(realSol(pool)) }
}

export const TOKEN_NAMED = {
  tokenId: 7,
  tokenName: TOKEN_NAMES.name,
  tokenSymbol: TOKEN_NAMES.symbol,
  emoji: TOKEN_NAMES.emoji,
}

export const TOKEN = {
  id: 7,
  ...TOKEN_NAMES,
  description: 'A token about a paper moon.',
  website: 'https://moon.example',
  x: null,
  telegram: null,
  supply: '1000000000',
  currentPrice: CURRENT_PRICE,
  priceChange24h: '6.76',
  price24hAgo: LAUNCH_PRICE,
  volume24h: VOLUME,
  marketCap: MARKET_CAP,
  createdAt: LAUNCHED_AT,
  creator: CREATOR,
  creatorHolding: BOUGHT,
  pool: POOL,
  seq: 1,
  lastEventAt: TRADED_AT,
  totalTrades: 1,
  ruggedAt: null,
  seal: null,
}

export const CANDLE = {
  time: TRADED_AT,
  open: LAUNCH_PRICE,
  high: CURRENT_PRICE,
  low: LAUNCH_PRICE,
  close: CURRENT_PRICE,
  volume: VOLUME,
}

export const CHART = {
  timeframe: '24H',
  width: 300,
  candles: [CANDLE],
  ticks: [{ seq: 1, time: TRADED_AT, price: CURRENT_PRICE, side: 'buy' }],
  high: CURRENT_PRICE,
  low: LAUNCH_PRICE,
  change24h: '6.76',
  price24hAgo: LAUNCH_PRICE,
  totalTrades: 1,
  seq: 1,
}

export const POSITION = { tokenId: 7, balance: '98.98', amount: BOUGHT, cost: '1' }

export const DONE = { ok: true }

export const HELD = { amount: BOUGHT, currentPrice: CURRENT_PRICE }

export const WORTH = { totalValue: MARK_VALUE, cashOutValue: CASH_OUT }
