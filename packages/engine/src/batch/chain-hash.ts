import { hash } from 'node:crypto'
import { type Price, priceText, SUPPLY, tokensText } from '@papermoon/amm'
import { entryText, launchText } from '@papermoon/chain'
import type { TokenId } from '../ids.ts'
import type { PoolState, RugPullEvent, Trade } from '../market-events.ts'
import type { LaunchOrder } from '../orders.ts'
import { timeText } from '../sql/time-text.ts'

/** Where a token's chain begins: 64 hexadecimal digits, as all hashes here. */
export function launchHash(tokenId: TokenId, order: LaunchOrder, at: { price: Price; atMs: number }): string {
  const { name, symbol } = order.token
  const createdAt = timeText(at.atMs)
  const figures = { supply: tokensText(SUPPLY), launchPrice: priceText(at.price) }
  return hash('sha256', launchText({ tokenId, creatorId: order.userId, ...figures, createdAt, name, symbol }))
}

/** The hash of a trade that leaves the pool as `after`. */
export function tradeHash(previous: string, trade: Trade, after: PoolState): string {
  const { solReserve, tokenReserve } = after
  return hash('sha256', entryText(previous, { ...trade, solReserve, tokenReserve, kind: trade.side }))
}

/** The hash of a rug pull. */
export function rugHash(previous: string, rug: RugPullEvent): string {
  return hash('sha256', entryText(previous, { ...rug, kind: 'rug' }))
}
