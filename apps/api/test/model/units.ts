/** Decimals by kind of amount: SOL in lamports, tokens in micros, prices in 10⁻¹⁸ SOL. */
export const SOL_DECIMALS = 9
export const TOKEN_DECIMALS = 6
const PRICE_DECIMALS = 18

/** One SOL in lamports. */
export const SOL = 10n ** 9n
/** One token in micros. */
export const TOKEN = 10n ** 6n

export const formatSol = (lamports: bigint): string => formatUnits(lamports, SOL_DECIMALS)
export const formatTokens = (micros: bigint): string => formatUnits(micros, TOKEN_DECIMALS)
export const formatPrice = (price: bigint): string => formatUnits(price, PRICE_DECIMALS)

/** Formats units as the API does: plain, exact, without trailing zeros. */
function formatUnits(units: bigint, decimals: number): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  const whole = digits.slice(0, -decimals)
  return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}
