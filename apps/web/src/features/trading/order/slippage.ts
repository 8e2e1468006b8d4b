import { Decimal } from '@papermoon/amm'
import { readStored, store } from '../../../lib/ui/stored.ts'

const KEY = 'papermoon-slippage'
export const SLIPPAGE_DECIMALS = 2
/** Percent. */
export const SLIPPAGE_DEFAULT = '2'
const SLIPPAGE_MAX = 50

/** The stored slippage in percent; 2 by default. */
export function storedSlippage(): string {
  const stored = readStored(KEY)
  return stored !== null && isSlippage(stored) ? stored : SLIPPAGE_DEFAULT
}

export function storeSlippage(percent: string): void {
  if (isSlippage(percent)) store(KEY, percent)
}

/** Percent text as a fraction; empty means the default. */
export function slippageFraction(percent: string): Decimal {
  return new Decimal(isSlippage(percent) ? percent : SLIPPAGE_DEFAULT).div(100)
}

/** Whether a text is a percentage with 2 decimals, at most 50. */
export function isSlippage(text: string): boolean {
  return /^\d{1,2}(\.\d{0,2})?$/.test(text) && new Decimal(text).lte(SLIPPAGE_MAX)
}
