/**
 * Dollars per SOL. The rate is fixed and used only for display. This file imports nothing, so that formats load no
 * Decimal.
 */
export const USD_PER_SOL_WHOLE = 200
