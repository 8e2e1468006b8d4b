import { createHash } from 'node:crypto'
import { solText, tokensText } from '@papermoon/amm'
import type { LaunchOrder, Order, PlaceOrder, SealRequest } from '../orders.ts'

/**
 * Returns a text that is equal for repeats of an order and different for other orders. The text does not contain the
 * minimum output, so that a repeat with another minimum gets the first response.
 */
export function computeFingerprint(order: Order): string {
  if (order.kind === 'buy') return tradeFingerprint('buy', order.tokenId, solText(order.sol))
  if (order.kind === 'sell') return tradeFingerprint('sell', order.tokenId, tokensText(order.tokens))
  if (order.kind === 'rug') return rugFingerprint(order.tokenId)
  if (order.kind === 'seal') return sealFingerprint(order.tokenId, order)
  if (order.kind === 'place') return placeFingerprint(order)
  // It is safe to run a cancellation again, because a repeat cancels nothing more.
  if (order.kind === 'cancel') return `cancel:${order.tokenId}:${order.ids.join()}`
  return launchFingerprint(order)
}

function placeFingerprint({ tokenId, terms, lastsMs, replaces }: PlaceOrder): string {
  const { kind, amount, price, stopPrice, leastPrice } = terms
  const figures = [amount, price, stopPrice, leastPrice].map((figure) => figure?.toFixed() ?? null)
  const text = JSON.stringify([kind, ...figures, lastsMs, replaces ?? null])
  return `place:${tokenId}:${createHash('sha256').update(text).digest('base64url')}`
}

/** Returns the fingerprint of a buy (`amount` in SOL) or sale (`amount` in tokens). `amount` has no trailing zeros. */
export function tradeFingerprint(side: 'buy' | 'sell', tokenId: number, amount: string): string {
  return `${side}:${tokenId}:${amount}`
}

export function rugFingerprint(tokenId: number): string {
  return `rug:${tokenId}`
}

export function sealFingerprint(tokenId: number, { term, bag }: SealRequest): string {
  return `seal:${tokenId}:${term}:${bag}`
}

function launchFingerprint({ token, initialBuy, seal, fair }: LaunchOrder): string {
  const fields = [token.name, token.symbol, token.emoji, token.description, token.website, token.x, token.telegram]
  const conditions = seal === undefined ? [] : [sealFingerprint(0, seal)]
  if (fair !== undefined) conditions.push(`fair:${fair.id}`)
  const text = JSON.stringify([...fields, initialBuy === undefined ? null : solText(initialBuy), ...conditions])
  return `launch:${createHash('sha256').update(text).digest('base64url')}`
}
