/** Fixed exchange rate for display. In its own file, so that formatting code need not load Decimal. */
export const USD_PER_SOL_WHOLE = 200
