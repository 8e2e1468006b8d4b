import { Decimal } from '@papermoon/amm'
import { readStored, store } from '../../../lib/ui/stored.ts'

const KEY = 'papermoon-slippage'
export const SLIPPAGE_DECIMALS = 2
/** Default slippage in percent. */
export const SLIPPAGE_DEFAULT = '2'
const SLIPPAGE_MAX = 50

/** Returns the stored slippage in percent (default: 2). */
export function storedSlippage(): string {
  const stored = readStored(KEY)
  return stored !== null && isSlippage(stored) ? stored : SLIPPAGE_DEFAULT
}

export function storeSlippage(percent: string): void {
  if (isSlippage(percent)) store(KEY, percent)
}

/** Converts a percent text to a fraction. An empty text means the default slippage. */
export function slippageFraction(percent: string): Decimal {
  return new Decimal(isSlippage(percent) ? percent : SLIPPAGE_DEFAULT).div(100)
}

/** Returns whether a text is a percentage with at most 2 decimals and at most 50. */
export function isSlippage(text: string): boolean {
  return /^\d{1,2}(\.\d{0,2})?$/.test(text) && new Decimal(text).lte(SLIPPAGE_MAX)
}
