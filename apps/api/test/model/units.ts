/** Decimals of an amount: SOL in lamports, tokens in micros, a price in 10⁻¹⁸ SOL. */
export const SOL_DECIMALS = 9
export const TOKEN_DECIMALS = 6
const PRICE_DECIMALS = 18

/** One SOL in lamports. */
export const SOL = 10n ** 9n
/** One token in micros. */
export const TOKEN = 10n ** 6n

export const solOf = (lamports: bigint): string => textOf(lamports, SOL_DECIMALS)
export const tokensOf = (micros: bigint): string => textOf(micros, TOKEN_DECIMALS)
export const priceOf = (price: bigint): string => textOf(price, PRICE_DECIMALS)

/** A count of units as the API writes it: plain, exact, without trailing zeros. */
function textOf(units: bigint, decimals: number): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  const whole = digits.slice(0, -decimals)
  return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}
