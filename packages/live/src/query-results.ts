import type { $brand } from 'zod'

export type TokenId = number & $brand<'TokenId'>
export type UserId = number & $brand<'UserId'>

/** A pool: SOL with at most 9 decimals, tokens with at most 6, as text. */
export interface PoolState {
  readonly solReserve: string
  readonly tokenReserve: string
  readonly realSol: string
}

/** What a token's creator has sealed, and until when. */
export interface Seal {
  liquidityUntil: string | null
  bagUntil: string | null
  bagTokens: string
}

/** A token as in every list and page. Amounts are exact decimals as text, times ISO 8601. */
export interface Token {
  id: TokenId
  name: string
  symbol: string
  emoji: string
  description: string | null
  website: string | null
  x: string | null
  telegram: string | null
  supply: string
  currentPrice: string
  priceChange24h: string
  price24hAgo: string
  volume24h: string
  marketCap: string
  createdAt: string
  creator: { id: UserId; username: string; isBot: boolean }
  creatorHolding: string
  pool: { solReserve: string; tokenReserve: string; realSol: string }
  seq: number
  lastEventAt: string
  totalTrades: number
  ruggedAt: string | null
  seal: Seal | null
}

export interface TokenPage {
  tokens: Token[]
  nextCursor: string | null
}

/** Three columns of at most 8 tokens. */
export interface Movers {
  /** The latest launches, newest first. */
  fresh: Token[]
  /** Largest gains over 24 hours among the most traded tokens. */
  rising: Token[]
  /** Most recent volume, largest first. */
  hot: Token[]
}

export interface Trade {
  id: number
  tokenId: TokenId
  seq: number
  side: 'buy' | 'sell'
  solAmount: string
  fee: string
  tokenAmount: string
  price: string
  spotPrice: string
  createdAt: string
  userId: UserId
  username: string
  isBot: boolean
}

export interface Holder {
  userId: UserId
  username: string
  isBot: boolean
  rank: number
  amount: string
}

export interface Candle {
  time: string
  open: string
  high: string
  low: string
  close: string
  volume: string
}

export interface Chart {
  timeframe: '1H' | '24H' | '7D' | 'ALL'
  /** Seconds per candle. */
  width: number
  /** Oldest first; periods without trades have no candle. */
  candles: Candle[]
  ticks: { seq: number; time: string; price: string; side: 'buy' | 'sell' }[]
  high: string | null
  low: string | null
  change24h: string
  price24hAgo: string
  totalTrades: number
  seq: number
}
