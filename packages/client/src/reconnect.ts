/** Time between a loss of the server and the next try, ms. */
export const RECONNECT_MS = 3_000
