import { absolute, formatFixed, isAbove, isBelow, parseFixed, toPercent } from './fixed.ts'
import { groupThousands, MINUS, priceParts, toDollars } from './prices.ts'

const NO_BREAK_SPACE = '\u00a0'
/** Number of decimals of a share before it is rounded. No amount has this many decimals. */
const SHARE_DECIMALS = 40
const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉'

/**
 * Formats a price in SOL as plain text, with a Unicode subscript for the number of zeros. Use it only for texts that
 * nobody copies: axes, titles and the first view.
 */
export function priceLabel(text: string): string {
  const { head, zeros, tail } = priceParts(text)
  if (zeros === null) return head
  const count = [...String(zeros)].map((digit) => SUBSCRIPTS.charAt(digit.charCodeAt(0) - 48)).join('')
  return `${head}${count}${tail}`
}

/**
 * Formats a price in SOL for sentences, with all its zeros. The text is rounded in the same way as in the component
 * `Price`.
 */
export function formatPrice(text: string): string {
  const { head, zeros, tail } = priceParts(text)
  return zeros === null ? head : `0.${'0'.repeat(zeros)}${tail}`
}

/**
 * Formats a profit or loss in SOL with its sign (+ for zero). The amount is rounded down, so that no profit looks
 * larger and no loss looks smaller than it is.
 */
export function formatGain(text: string, decimals = 6): string {
  const shown = formatFixed(parseFixed(text), decimals, 'floor')
  return shown.startsWith('-') ? `${MINUS}${groupThousands(shown.slice(1))}` : `+${groupThousands(shown)}`
}

/** Formats an amount, truncated to whole units, such as `1,000,000,000`. */
export function formatWhole(text: string): string {
  return groupThousands(formatFixed(parseFixed(text), 0, 'down'))
}

/**
 * Formats the share of `part` in `whole` as a percentage with 2 decimals, such as `12.40%`. Only an exact 0 becomes
 * `0.00%`, and only the whole becomes `100.00%`. Shares just above 0 and just below the whole are `<0.01%` and
 * `>99.99%`.
 */
export function formatShare(part: string, whole: string): string {
  const [size, all] = [parseFixed(part), parseFixed(whole)]
  if (size.units === 0n || all.units === 0n) return '0.00%'
  const percent = toPercent(size, all, SHARE_DECIMALS)
  if (isBelow(percent, '0.01')) return '<0.01%'
  if (isBelow(percent, '100') && isAbove(percent, '99.99')) return '>99.99%'
  return `${formatFixed(percent, 2, 'half-up')}%`
}

/** Formats SOL as approximate dollars, such as `≈ $1,234.50`, or `≈ −$12.00` for a loss. */
export function formatUsdHint(sol: string): string {
  const value = toDollars(sol)
  if (value.units > 0n && isBelow(value, '0.01')) return `<${NO_BREAK_SPACE}$0.01`
  const dollars = absolute(value)
  const shown = formatFixed(dollars, isBelow(dollars, '10000') ? 2 : 0, 'half-up')
  // Show a loss below half a cent as $0.00, without a sign.
  const isLoss = value.units < 0n && !isBelow(dollars, '0.005')
  return `≈${NO_BREAK_SPACE}${isLoss ? MINUS : ''}$${groupThousands(shown)}`
}

/** Formats a property's name as words: `waitingOrders` becomes `Waiting orders`. */
export function formatName(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
