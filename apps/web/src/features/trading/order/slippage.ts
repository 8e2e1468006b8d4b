import { Decimal } from '@papermoon/amm'
import { cleanAmount } from '../../../lib/format/clean-amount.ts'

const KEY = 'papermoon-slippage'
const DECIMALS = 2
/** Percent. */
export const SLIPPAGE_DEFAULT = '2'
const SLIPPAGE_MAX = 50

/** The slippage that was set before, in percent; 2 where none was. */
export function storedSlippage(): string {
  const stored = localStorage.getItem(KEY)
  return stored !== null && isSlippage(stored) ? stored : SLIPPAGE_DEFAULT
}

/** Keeps the slippage for the next visit. */
export function storeSlippage(percent: string): void {
  if (isSlippage(percent)) localStorage.setItem(KEY, percent)
}

/** What the slippage field holds after `typed`: percent with 2 decimals, at most 50. */
export function cleanSlippage(typed: string, previous: string): string {
  const cleaned = cleanAmount(typed, previous, DECIMALS)
  return cleaned === '' || isSlippage(cleaned) ? cleaned : previous
}

/** Percent text as a fraction; an empty field counts as the default. */
export function slippageFraction(percent: string): Decimal {
  return new Decimal(isSlippage(percent) ? percent : SLIPPAGE_DEFAULT).div(100)
}

function isSlippage(text: string): boolean {
  return /^\d{1,2}(\.\d{0,2})?$/.test(text) && new Decimal(text).lte(SLIPPAGE_MAX)
}
