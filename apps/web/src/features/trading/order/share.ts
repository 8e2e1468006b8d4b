import { Decimal, TOKEN_DECIMALS } from '@papermoon/amm'

/** `percent` of a token amount, rounded down to 6 decimals; 100 returns the exact amount. */
export function computeShare(amount: string, percent: number | string): string {
  // Round down: never more than the player holds.
  return new Decimal(amount).mul(percent).div(100).toDecimalPlaces(TOKEN_DECIMALS, Decimal.ROUND_DOWN).toFixed()
}

/** Whether a typed text, which may be incomplete, is an exact amount. */
export function isAmount(text: string, amount: string): boolean {
  return /^\d+\.?\d*$/.test(text) && new Decimal(text).eq(amount)
}
