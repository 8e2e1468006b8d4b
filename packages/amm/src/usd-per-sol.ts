/** Dollars per SOL, a fixed rate for display. In a separate file, so that formatting code need not load Decimal. */
export const USD_PER_SOL_WHOLE = 200
