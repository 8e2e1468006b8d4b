/**
 * Seconds after which an order that was sent whole and is not found by its key is never placed. It covers, at their longest:
 * looking the key up, and beginning it. What has begun holds the player's account, and the look-up waits for it.
 */
export const ORDER_FINAL_S = 120
