import { Decimal, TOKEN_DECIMALS } from '@papermoon/amm'

/** Returns `percent` of a token amount, rounded down to 6 decimals. 100 returns the exact amount. */
export function computeShare(amount: string, percent: number | string): string {
  // Round down, so that the result never exceeds the player's holding.
  return new Decimal(amount).mul(percent).div(100).toDecimalPlaces(TOKEN_DECIMALS, Decimal.ROUND_DOWN).toFixed()
}

/** Returns whether a typed text, which may be incomplete, equals an exact amount. */
export function isAmount(text: string, amount: string): boolean {
  return /^\d+\.?\d*$/.test(text) && new Decimal(text).eq(amount)
}
