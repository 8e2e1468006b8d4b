import { createHash } from 'node:crypto'
import { solText, tokensText } from '@papermoon/amm'
import type { LaunchOrder, Order } from '../orders.ts'

/**
 * What an order asks, as text: equal for a repeat, different for another order. The least acceptable
 * output is not part of it, so a repeat after the price moved still gets the first answer.
 */
export function fingerprintOf(order: Order): string {
  if (order.kind === 'buy') return tradeFingerprint('buy', order.tokenId, solText(order.sol))
  if (order.kind === 'sell') return tradeFingerprint('sell', order.tokenId, tokensText(order.tokens))
  if (order.kind === 'rug') return rugFingerprint(order.tokenId)
  return launchFingerprint(order)
}

/** The fingerprint of a buy (`amount` in SOL) or a sale (`amount` in tokens); amounts without trailing zeros. */
export function tradeFingerprint(side: 'buy' | 'sell', tokenId: number, amount: string): string {
  return `${side}:${tokenId}:${amount}`
}

/** The fingerprint of a rug pull. */
export function rugFingerprint(tokenId: number): string {
  return `rug:${tokenId}`
}

function launchFingerprint({ token, initialBuy }: LaunchOrder): string {
  const asked = [token.name, token.symbol, token.emoji, token.description, token.website, token.x, token.telegram]
  const text = JSON.stringify([...asked, initialBuy === undefined ? null : solText(initialBuy)])
  return `launch:${createHash('sha256').update(text).digest('base64url')}`
}
