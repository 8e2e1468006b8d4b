/** The entries of the journal: events, their rows, and the hashes that chain them. */

import { hash } from 'node:crypto'
import {
  computeMarketCap,
  type Pool,
  type Price,
  priceText,
  realSol,
  SUPPLY,
  solText,
  tokensText,
} from '@papermoon/amm'
import { entryText, launchText, sealText } from '@papermoon/chain'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import type { PoolState, RugPullEvent, Seal, SealEvent, Trade, TradeEvent } from '@papermoon/contract/market-events'
import { formatNumeric, type TradesTable } from '@papermoon/db'
import type { Selectable } from 'kysely'
import { formatTime } from '../clock.ts'
import type { LaunchOrder } from '../orders.ts'

export interface TradeResult {
  readonly pool: Pool
  readonly spotPrice: Price
  /** SOL that the trader paid, or received before the fee, as text. */
  readonly volume: string
  /** Number of tokens that the trader holds, as text. */
  readonly holding: string
}

export function toTradeEvent(trade: Trade, { pool, spotPrice, volume, holding }: TradeResult): TradeEvent {
  return {
    type: 'trade',
    tokenId: trade.tokenId,
    seq: trade.seq,
    trade,
    pool: { solReserve: solText(pool.sol), tokenReserve: tokensText(pool.tokens), realSol: solText(realSol(pool)) },
    currentPrice: trade.spotPrice,
    marketCap: priceText(computeMarketCap(spotPrice)),
    volume,
    holding,
  }
}

/** A row of `trades` with the trader's username. */
export type TradeRow = Omit<Selectable<TradesTable>, 'request_key' | 'hash' | 'sol_reserve' | 'token_reserve'> & {
  readonly username: string
  readonly is_bot: boolean
}

/** Converts a row to a public trade with exact decimals, without trailing zeros. */
export function toTrade(row: TradeRow): Trade {
  return {
    id: row.id,
    tokenId: row.token_id as TokenId,
    seq: row.seq,
    side: row.side,
    solAmount: formatNumeric(row.sol_amount),
    fee: formatNumeric(row.fee),
    tokenAmount: formatNumeric(row.token_amount),
    price: formatNumeric(row.price),
    spotPrice: formatNumeric(row.spot_price),
    createdAt: row.created_at.toISOString(),
    userId: row.user_id as UserId,
    username: row.username,
    isBot: row.is_bot,
  }
}

export interface SealRow {
  readonly until: Date
  readonly bag_until: Date | null
  readonly bag_tokens: string
}

export function toSeal({ until, bag_until, bag_tokens }: SealRow): Seal {
  return {
    liquidityUntil: until.toISOString(),
    bagUntil: bag_until?.toISOString() ?? null,
    bagTokens: formatNumeric(bag_tokens),
  }
}

/** Returns the first hash of a token's chain. All hashes here are 64 hexadecimal digits. */
export function launchHash(tokenId: TokenId, order: LaunchOrder, at: { price: Price; atMs: number }): string {
  const { name, symbol } = order.token
  const createdAt = formatTime(at.atMs)
  const numbers = { supply: tokensText(SUPPLY), launchPrice: priceText(at.price) }
  return hash('sha256', launchText({ tokenId, creatorId: order.userId, ...numbers, createdAt, name, symbol }))
}

/** Returns a trade's hash. `after` is the pool after the trade. */
export function tradeHash(previous: string, trade: Trade, after: PoolState): string {
  const { solReserve, tokenReserve } = after
  return hash('sha256', entryText(previous, { ...trade, solReserve, tokenReserve, kind: trade.side }))
}

export function rugHash(previous: string, rug: RugPullEvent): string {
  return hash('sha256', entryText(previous, { ...rug, kind: 'rug' }))
}

/** Returns a seal's hash. `previous` is the hash of the token's previous seal, or null for the first seal. */
export function sealHash(
  previous: string | null,
  { tokenId, number, seq, userId, seal, createdAt }: SealEvent,
): string {
  const { liquidityUntil, bagUntil, bagTokens } = seal
  const until = liquidityUntil ?? ''
  return hash('sha256', sealText(previous, { tokenId, number, seq, userId, until, bagUntil, bagTokens, createdAt }))
}
