import { Decimal, USD_PER_SOL } from '@papermoon/amm'

/** Shown where there is no figure. */
export const NO_FIGURE = '–'
const MINUS = '−'
const NO_BREAK_SPACE = '\u00a0'
const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉'

/** A price as the screen shows it: `head`, the count of zeros as a subscript if any, `tail`. */
export interface PriceParts {
  readonly head: string
  /** Zeros after the decimal point that `head` does not show. */
  readonly zeros: number | null
  readonly tail: string
  /** The exact value, for titles, copies and screen readers. */
  readonly exact: string
}

/** The decimals that a price of this size is shown with: 6, 9 below 0.01, 12 below 0.000001. */
export function priceDecimals(price: Decimal): number {
  if (price.lt('0.000001')) return 12
  return price.lt('0.01') ? 9 : 6
}

/**
 * Splits a price in SOL (decimal text) for display; from 0.001 down, its leading zeros become a count. It has as many
 * decimals as its size asks for, unless a place has a precision of its own.
 */
export function priceParts(text: string, decimals?: number): PriceParts {
  const price = new Decimal(text)
  const exact = price.toFixed()
  if (price.isZero()) return { head: '0', zeros: null, tail: '', exact }
  const shown = price.toFixed(decimals ?? priceDecimals(price), Decimal.ROUND_HALF_UP)
  const small = price.lt('0.001') ? /^0\.(0+)([1-9]\d*?)0*$/.exec(shown) : null
  if (small?.[1] && small[2]) return { head: '0.0', zeros: small[1].length, tail: small[2], exact }
  return { head: grouped(shown), zeros: null, tail: '', exact }
}

/** A price in SOL as plain text, zeros counted in Unicode subscripts: for canvas axes and tab titles. */
export function priceLabel(text: string): string {
  const { head, zeros, tail } = priceParts(text)
  if (zeros === null) return head
  const count = [...String(zeros)].map((digit) => SUBSCRIPTS.charAt(digit.charCodeAt(0) - 48)).join('')
  return `${head}${count}${tail}`
}

/** SOL with a fixed number of decimals, cut: nobody is shown more than they have. Dust is `<0.01`, never nothing. */
export function formatSol(text: string, decimals: number): string {
  const value = new Decimal(text)
  const least = new Decimal(10).pow(-decimals)
  if (value.gt(0) && value.lt(least)) return `<${least.toFixed()}`
  return grouped(value.toFixed(decimals, Decimal.ROUND_DOWN))
}

/**
 * A profit or loss in SOL with its sign, + from zero up. Rounded down: no profit looks larger than it is, and no loss
 * smaller.
 */
export function formatGain(text: string, decimals: number): string {
  const value = new Decimal(text).toDecimalPlaces(decimals, Decimal.ROUND_FLOOR)
  return `${value.lt(0) ? MINUS : '+'}${grouped(value.abs().toFixed(decimals))}`
}

/** A token amount with 2 decimals, cut. */
export function formatTokens(text: string): string {
  return grouped(new Decimal(text).toFixed(2, Decimal.ROUND_DOWN))
}

/** A token amount in few characters: `793.1M`. */
export function formatTokensShort(text: string): string {
  const amount = new Decimal(text)
  return amount.lt(1_000) ? formatTokens(text) : scaled(amount)
}

/** The whole supply of a token: `1,000,000,000`. */
export function formatWhole(text: string): string {
  return grouped(new Decimal(text).toFixed(0, Decimal.ROUND_DOWN))
}

/** The sign of a decimal text: −1, 0 or 1. */
export function signOf(text: string): -1 | 0 | 1 {
  const value = new Decimal(text)
  if (value.isZero()) return 0
  return value.isNegative() ? -1 : 1
}

/** A change in percent with its sign and 2 decimals: `+12.40%`; in few characters from 10,000 % on: `+163.8K%`. */
export function formatChange(text: string): string {
  const value = new Decimal(text)
  const sign = value.isZero() ? '' : value.isNegative() ? MINUS : '+'
  const size = value.abs()
  // What rounds to 10,000.00 is as long as 10,000.
  return `${sign}${size.lt('9999.995') ? grouped(size.toFixed(2, Decimal.ROUND_HALF_UP)) : scaled(size)}%`
}

/**
 * How much of `whole` a `part` is, in percent with 2 decimals: `12.40%`. A share that is neither nothing nor all is
 * shown as neither.
 */
export function formatShare(part: string, whole: string): string {
  const size = new Decimal(part)
  // Of nothing, too.
  if (size.isZero()) return '0.00%'
  const percent = size.mul(100).div(whole)
  if (percent.lt('0.01')) return '<0.01%'
  if (percent.lt(100) && percent.gt('99.99')) return '>99.99%'
  return `${percent.toFixed(2, Decimal.ROUND_HALF_UP)}%`
}

/** A market cap given in SOL as dollars: `$0`, `$812`, `$6.0K`, `$1.25M`, `$3.10B`. Missing counts as 0. */
export function formatMarketCap(sol: string | null | undefined): string {
  const dollars = new Decimal(sol ?? 0).mul(USD_PER_SOL)
  return dollars.lt('999.5') ? `$${dollars.toFixed(0, Decimal.ROUND_HALF_UP)}` : `$${scaled(dollars)}`
}

/** What an amount of SOL is worth, roughly: `≈ $1,234.50`; of a loss, `≈ −$12.00`. */
export function formatUsdHint(sol: string): string {
  const value = new Decimal(sol).mul(USD_PER_SOL)
  const dollars = value.abs()
  const decimals = dollars.gte(10_000) ? 0 : 2
  if (value.gt(0) && value.lt('0.01')) return `<${NO_BREAK_SPACE}$0.01`
  return `≈${NO_BREAK_SPACE}${value.lte('-0.005') ? MINUS : ''}$${grouped(dollars.toFixed(decimals, Decimal.ROUND_HALF_UP))}`
}

/** K with 1 decimal, M and B with 2; the unit is chosen after rounding, so nothing reads `1000.0K`. */
function scaled(amount: Decimal): string {
  if (amount.lt('999950')) return `${amount.div(1_000).toFixed(1, Decimal.ROUND_HALF_UP)}K`
  if (amount.lt('999995000')) return `${amount.div(1_000_000).toFixed(2, Decimal.ROUND_HALF_UP)}M`
  return `${grouped(amount.div(1_000_000_000).toFixed(2, Decimal.ROUND_HALF_UP))}B`
}

function grouped(plain: string): string {
  const [whole = '', fraction] = plain.split('.')
  const withCommas = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? withCommas : `${withCommas}.${fraction}`
}
