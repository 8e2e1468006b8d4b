import { Decimal, TOKEN_DECIMALS } from '@papermoon/amm'

/** `percent` of an exact token amount, cut to 6 decimals: 100 gives the amount itself, to the last digit. */
export function computeShare(amount: string, percent: number): string {
  // Round down: nobody is made to sell more than they hold.
  return new Decimal(amount).mul(percent).div(100).toDecimalPlaces(TOKEN_DECIMALS, Decimal.ROUND_DOWN).toFixed()
}
