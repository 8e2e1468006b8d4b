import type { TokenId } from '@papermoon/contract/ids'
import type {
  RugPullEvent,
  Seal,
  SealEvent,
  TokenLaunchedEvent,
  Trade,
  TradeEvent,
} from '@papermoon/contract/market-events'
import type { Chart, Holder, Token } from '@papermoon/contract/tokens'
import { tokenAtLaunch } from '../src/token-at-launch.ts'

export const ID = 7 as TokenId
export const userId = (id: number) => id as Trade['userId']

export const launchEvent = (id: TokenId = ID, createdAt = '2026-01-01T00:00:00.000Z'): TokenLaunchedEvent => ({
  type: 'token_launched',
  tokenId: id,
  seq: 0,
  name: 'Paper Moon',
  symbol: 'MOON',
  emoji: '🌙',
  creator: { id: userId(1), username: 'barnum', isBot: false },
  createdAt,
})

export const token = (part: Partial<Token> = {}): Token => ({ ...tokenAtLaunch(launchEvent()), ...part })

interface TradeFields {
  readonly seq: number
  readonly price?: string
  readonly volume?: string
  readonly createdAt?: string
  readonly trader?: number
  readonly holding?: string
  readonly tokenId?: TokenId
}

export function tradeEvent(fields: TradeFields): TradeEvent {
  const { seq, price = '0.00000004', volume = '1', createdAt = '2026-01-01T00:00:30.000Z' } = fields
  const tokenId = fields.tokenId ?? ID
  return {
    type: 'trade',
    tokenId,
    seq,
    trade: {
      id: 100 + seq,
      tokenId,
      seq,
      side: 'buy',
      solAmount: volume,
      fee: '0.003',
      tokenAmount: '10',
      price,
      spotPrice: price,
      createdAt,
      userId: userId(fields.trader ?? 2),
      username: `player ${fields.trader ?? 2}`,
      isBot: false,
    },
    pool: { solReserve: '31', tokenReserve: '900000000', realSol: '1' },
    currentPrice: price,
    marketCap: '40',
    volume,
    holding: fields.holding ?? '10',
  }
}

export const rugEvent = (seq: number): RugPullEvent => ({
  type: 'rug_pull',
  tokenId: ID,
  seq,
  userId: userId(1),
  username: 'barnum',
  isBot: false,
  amount: '5',
  createdAt: '2026-01-01T01:00:00.000Z',
})

export const sealEvent = (seal: Partial<Seal>): SealEvent => ({
  type: 'seal',
  tokenId: ID,
  kind: 'sealed',
  number: 1,
  seq: 0,
  userId: userId(1),
  username: 'barnum',
  isBot: false,
  seal: { liquidityUntil: null, bagUntil: null, bagTokens: '0', ...seal },
  createdAt: '2026-01-01T00:00:00.000Z',
})

export const holder = (id: number, amount: string, rank = 1): Holder => ({
  userId: userId(id),
  username: `player ${id}`,
  isBot: false,
  rank,
  amount,
})

export const chart = (part: Partial<Chart> = {}): Chart => ({
  timeframe: 'ALL',
  width: 60,
  candles: [],
  ticks: [],
  high: null,
  low: null,
  change24h: '0',
  price24hAgo: '0.00000003',
  totalTrades: 0,
  seq: 0,
  ...part,
})
