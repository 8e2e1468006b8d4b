import { hash } from 'node:crypto'
import { type Price, priceText, SUPPLY, tokensText } from '@papermoon/amm'
import { entryText, launchText, sealText } from '@papermoon/chain'
import type { TokenId } from '@papermoon/contract/ids'
import type { PoolState, RugPullEvent, SealEvent, Trade } from '@papermoon/contract/market-events'
import type { LaunchOrder } from '../orders.ts'
import { formatTime } from '../sql/time-text.ts'

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
