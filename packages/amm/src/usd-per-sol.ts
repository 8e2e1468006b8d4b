/**
 * Dollars per SOL. The rate is fixed and used only for display. This file imports nothing, so that code for formatting
 * does not load decimal.js.
 */
export const USD_PER_SOL_WHOLE = 200
