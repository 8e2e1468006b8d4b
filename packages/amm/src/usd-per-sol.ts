/** Dollars a SOL is taken to be worth on the screen, apart from the maths: figures need no Decimal. */
export const USD_PER_SOL_WHOLE = 200
