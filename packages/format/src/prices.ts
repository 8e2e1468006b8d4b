import { USD_PER_SOL_WHOLE } from '@papermoon/amm/usd-per-sol'
import { absolute, divideByTens, type Fixed, formatFixed, isBelow, multiply, parseFixed } from './fixed.ts'

/** Text that screens show in place of a missing number. */
export const NO_FIGURE = '–'
export const MINUS = '−'
const SIGNS = { [-1]: MINUS, 0: '', 1: '+' } as const

/** The parts of a price for display: `head`, an optional subscript with the number of zeros, and `tail`. */
export interface PriceParts {
  readonly head: string
  /** Number of zeros after the decimal point that the subscript replaces, or null if there is no subscript. */
  readonly zeros: number | null
  readonly tail: string
  /** The exact price, for tooltips, the clipboard and screen readers. */
  readonly exact: string
}

/** Returns the number of decimals to show. Prices have 6 decimals, but 9 below 0.01, and 12 below 0.000001. */
function priceDecimals(price: Fixed): number {
  if (isBelow(price, '0.000001')) return 12
  return isBelow(price, '0.01') ? 9 : 6
}

/**
 * Splits a price in SOL (decimal text) for display. In prices below 0.001, the number of leading zeros replaces the
 * zeros. The default of `decimals` depends on the price's size.
 */
export function priceParts(text: string, decimals?: number): PriceParts {
  const price = parseFixed(text)
  const exact = trimZeros(text)
  if (price.units === 0n) return { head: '0', zeros: null, tail: '', exact }
  const shown = formatFixed(price, decimals ?? priceDecimals(price), 'half-up')
  const small = isBelow(price, '0.001') ? /^0\.(0+)([1-9]\d*?)0*$/.exec(shown) : null
  if (small?.[1] && small[2]) return { head: '0.0', zeros: small[1].length, tail: small[2], exact }
  return { head: groupThousands(shown), zeros: null, tail: '', exact }
}

/**
 * Formats SOL, truncated to `decimals`, so that players never see more than they have. A smaller positive amount
 * becomes `<0.01`.
 */
export function formatSol(text: string, decimals = 6): string {
  const value = parseFixed(text)
  const least = formatFixed({ units: 1n, scale: decimals }, decimals, 'down')
  if (value.units > 0n && isBelow(value, least)) return `<${least}`
  return groupThousands(formatFixed(value, decimals, 'down'))
}

/** Formats a token amount truncated to 2 decimals. */
export function formatTokens(text: string): string {
  return groupThousands(formatFixed(parseFixed(text), 2, 'down'))
}

/** Formats a token amount in short form, such as `793.10M`. */
export function formatTokensShort(text: string): string {
  const amount = parseFixed(text)
  return isBelow(amount, '1000') ? formatTokens(text) : abbreviate(amount)
}

/**
 * Formats a count, such as `1,113`. This package does not use `Intl`, because its first use loads language data and
 * delays a page's start by more than 10 ms.
 */
export function formatCount(count: number): string {
  return groupThousands(String(count))
}

/** Formats a count in short form with at most one decimal, such as `12.3K` or `1M`. */
export function formatCountShort(count: number): string {
  if (count < 1_000) return String(count)
  return count < 999_950 ? `${Math.round(count / 100) / 10}K` : `${formatCount(Math.round(count / 100_000) / 10)}M`
}

/** Returns the sign of a decimal text: −1, 0 or 1. */
export function getSign(text: string): -1 | 0 | 1 {
  const { units } = parseFixed(text)
  if (units === 0n) return 0
  return units < 0n ? -1 : 1
}

/** Formats a percentage change with its sign (`+12.40%`). Abbreviates changes of 10,000 % or more (`+163.8K%`). */
export function formatChange(text: string, decimals = 2): string {
  const sign = SIGNS[getSign(text)]
  const size = absolute(parseFixed(text))
  // Compare with 9,999.995, because this already rounds to 10,000.00.
  return `${sign}${isBelow(size, '9999.995') ? groupThousands(formatFixed(size, decimals, 'half-up')) : abbreviate(size)}%`
}

/**
 * Formats a market cap in SOL as dollars, such as `$812`, `$6.0K`, `$1.25M` or `$3.10B`. A missing market cap becomes
 * `$0`.
 */
export function formatMarketCap(sol: string | null | undefined): string {
  const dollars = toDollars(sol ?? '0')
  return isBelow(dollars, '999.5') ? `$${formatFixed(dollars, 0, 'half-up')}` : `$${abbreviate(dollars)}`
}

export function toDollars(sol: string): Fixed {
  return multiply(parseFixed(sol), BigInt(USD_PER_SOL_WHOLE))
}

/**
 * Abbreviates an amount: K with 1 decimal, M and B with 2. Rounds before choosing the unit, so that no result is
 * `1000.0K`.
 */
function abbreviate(amount: Fixed): string {
  if (isBelow(amount, '999950')) return `${formatFixed(divideByTens(amount, 3), 1, 'half-up')}K`
  if (isBelow(amount, '999995000')) return `${formatFixed(divideByTens(amount, 6), 2, 'half-up')}M`
  return `${groupThousands(formatFixed(divideByTens(amount, 9), 2, 'half-up'))}B`
}

/** Removes trailing zeros after the decimal point, and the point itself if nothing follows. */
function trimZeros(plain: string): string {
  return plain.includes('.') ? plain.replace(/\.?0*$/, '') : plain
}

export function groupThousands(plain: string): string {
  const [whole = '', fraction] = plain.split('.')
  const withCommas = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? withCommas : `${withCommas}.${fraction}`
}
