/** Which way a trade goes. */
export type Side = 'buy' | 'sell'
