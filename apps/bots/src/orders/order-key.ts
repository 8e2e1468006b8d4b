import { createHash } from 'node:crypto'
import type { Account } from './account.ts'

const KEY_CHARS = 32

/**
 * The idempotency key of an order: a digest of the account it was decided on. Each executed order changes the account, so
 * at most one order is ever executed from one state, whichever process sent it: a killed runner leaves nothing behind
 * that its successor would have to know. `turn` tells apart states that are equal by chance.
 */
export function computeOrderKey(account: Account, turn: number): string {
  const holdings = [...account.holdings]
    .sort(([a], [b]) => a - b)
    .map(([tokenId, { amount }]) => `${tokenId}=${amount}`)
  const text = [turn, account.balance, ...holdings].join(' ')
  return createHash('sha256').update(text).digest('base64url').slice(0, KEY_CHARS)
}
