/** Dollars per SOL, a fixed rate for display. This file imports nothing, so that formats load no Decimal. */
export const USD_PER_SOL_WHOLE = 200
