/** How long to wait before reconnecting, in ms. */
export const RECONNECT_MS = 3_000
