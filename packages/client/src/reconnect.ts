/** Time between losing the server and the next attempt. */
export const RECONNECT_MS = 3_000
