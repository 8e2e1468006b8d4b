import { USD_PER_SOL_WHOLE } from '@papermoon/amm/usd-per-sol'
import { absolute, dividedByTens, type Fixed, fixedOf, fixedText, isAbove, isBelow, percentOf, times } from './fixed.ts'

/** Shown where there is no figure. */
export const NO_FIGURE = '–'
const MINUS = '−'
const SIGNS = { [-1]: MINUS, 0: '', 1: '+' } as const
const NO_BREAK_SPACE = '\u00a0'
/** More than any share needs to be told from its neighbours. */
const SHARE_DECIMALS = 40
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
function priceDecimals(price: Fixed): number {
  if (isBelow(price, '0.000001')) return 12
  return isBelow(price, '0.01') ? 9 : 6
}

/**
 * Splits a price in SOL (decimal text) for display; from 0.001 down, its leading zeros become a count. It has as many
 * decimals as its size asks for, unless a place has a precision of its own.
 */
export function priceParts(text: string, decimals?: number): PriceParts {
  const price = fixedOf(text)
  const exact = shortest(text)
  if (price.units === 0n) return { head: '0', zeros: null, tail: '', exact }
  const shown = fixedText(price, decimals ?? priceDecimals(price), 'half-up')
  const small = isBelow(price, '0.001') ? /^0\.(0+)([1-9]\d*?)0*$/.exec(shown) : null
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
  const value = fixedOf(text)
  const least = fixedText({ units: 1n, scale: decimals }, decimals, 'down')
  if (value.units > 0n && isBelow(value, least)) return `<${least}`
  return grouped(fixedText(value, decimals, 'down'))
}

/**
 * A profit or loss in SOL with its sign, + from zero up. Rounded down: no profit looks larger than it is, and no loss
 * smaller.
 */
export function formatGain(text: string, decimals: number): string {
  const shown = fixedText(fixedOf(text), decimals, 'floor')
  return shown.startsWith('-') ? `${MINUS}${grouped(shown.slice(1))}` : `+${grouped(shown)}`
}

/** A token amount with 2 decimals, cut. */
export function formatTokens(text: string): string {
  return grouped(fixedText(fixedOf(text), 2, 'down'))
}

/** A token amount in few characters: `793.1M`. */
export function formatTokensShort(text: string): string {
  const amount = fixedOf(text)
  return isBelow(amount, '1000') ? formatTokens(text) : scaled(amount)
}

/** The whole supply of a token: `1,000,000,000`. */
export function formatWhole(text: string): string {
  return grouped(fixedText(fixedOf(text), 0, 'down'))
}

/** The sign of a decimal text: −1, 0 or 1. */
export function signOf(text: string): -1 | 0 | 1 {
  const { units } = fixedOf(text)
  if (units === 0n) return 0
  return units < 0n ? -1 : 1
}

/** A change in percent with its sign and 2 decimals: `+12.40%`; in few characters from 10,000 % on: `+163.8K%`. */
export function formatChange(text: string): string {
  const sign = SIGNS[signOf(text)]
  const size = absolute(fixedOf(text))
  // What rounds to 10,000.00 is as long as 10,000.
  return `${sign}${isBelow(size, '9999.995') ? grouped(fixedText(size, 2, 'half-up')) : scaled(size)}%`
}

/**
 * How much of `whole` a `part` is, in percent with 2 decimals: `12.40%`. A share that is neither nothing nor all is
 * shown as neither.
 */
export function formatShare(part: string, whole: string): string {
  const [size, all] = [fixedOf(part), fixedOf(whole)]
  if (size.units === 0n || all.units === 0n) return '0.00%'
  const percent = percentOf(size, all, SHARE_DECIMALS)
  if (isBelow(percent, '0.01')) return '<0.01%'
  if (isBelow(percent, '100') && isAbove(percent, '99.99')) return '>99.99%'
  return `${fixedText(percent, 2, 'half-up')}%`
}

/** A market cap given in SOL as dollars: `$0`, `$812`, `$6.0K`, `$1.25M`, `$3.10B`. Missing counts as 0. */
export function formatMarketCap(sol: string | null | undefined): string {
  const dollars = dollarsOf(sol ?? '0')
  return isBelow(dollars, '999.5') ? `$${fixedText(dollars, 0, 'half-up')}` : `$${scaled(dollars)}`
}

/** What an amount of SOL is worth, roughly: `≈ $1,234.50`; of a loss, `≈ −$12.00`. */
export function formatUsdHint(sol: string): string {
  const value = dollarsOf(sol)
  if (value.units > 0n && isBelow(value, '0.01')) return `<${NO_BREAK_SPACE}$0.01`
  const dollars = absolute(value)
  const shown = fixedText(dollars, isBelow(dollars, '10000') ? 2 : 0, 'half-up')
  // What rounds to nothing has no sign.
  const isLoss = value.units < 0n && !isBelow(dollars, '0.005')
  return `≈${NO_BREAK_SPACE}${isLoss ? MINUS : ''}$${grouped(shown)}`
}

function dollarsOf(sol: string): Fixed {
  return times(fixedOf(sol), BigInt(USD_PER_SOL_WHOLE))
}

/** K with 1 decimal, M and B with 2; the unit is chosen after rounding, so nothing reads `1000.0K`. */
function scaled(amount: Fixed): string {
  if (isBelow(amount, '999950')) return `${fixedText(dividedByTens(amount, 3), 1, 'half-up')}K`
  if (isBelow(amount, '999995000')) return `${fixedText(dividedByTens(amount, 6), 2, 'half-up')}M`
  return `${grouped(fixedText(dividedByTens(amount, 9), 2, 'half-up'))}B`
}

/** Plain decimal text without zeros, or a point, that say nothing. */
function shortest(plain: string): string {
  return plain.includes('.') ? plain.replace(/\.?0*$/, '') : plain
}

function grouped(plain: string): string {
  const [whole = '', fraction] = plain.split('.')
  const withCommas = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? withCommas : `${withCommas}.${fraction}`
}
