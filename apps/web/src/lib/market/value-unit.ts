import { saveSetting, useStored } from '../ui/stored.ts'

/** The unit of a token's values: the price of one token, or the market cap at that price. */
export type ValueUnit = 'price' | 'cap'

const KEY = 'papermoon-value-unit'

/**
 * Returns the unit of the values in the chart and the trade panel. This device stores the unit (default: the price).
 */
export function useValueUnit(): ValueUnit {
  return useStored(KEY) === 'cap' ? 'cap' : 'price'
}

/** Returns the unit's name, for use in a sentence. */
export function nameValue(unit: ValueUnit): string {
  return unit === 'price' ? 'price' : 'market cap'
}

/** Changes the unit for all values on the page and stores it in this browser. */
export function chooseValueUnit(next: ValueUnit): void {
  saveSetting(KEY, next === 'price' ? null : next)
}
