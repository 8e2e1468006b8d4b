/** SOL that a house bot starts with. Top-ups never raise a balance above this amount. */
export const HOUSE_FLOAT_SOL = 1_000
/** Max SOL granted to one house bot per UTC day, in addition to its first grant. */
export const HOUSE_GRANT_MAX_SOL = 500
/** Balance in SOL below which a house bot is topped up. */
export const HOUSE_GRANT_BELOW_SOL = 400

/**
 * Returns the SOL to grant to a house bot now, or 0 if it needs none. `grantedToday` is what the bot got since 00:00
 * UTC.
 */
export function computeHouseGrant(balance: number, grantedToday: number): number {
  if (balance >= HOUSE_GRANT_BELOW_SOL) return 0
  return Math.max(0, Math.min(HOUSE_FLOAT_SOL - balance, HOUSE_GRANT_MAX_SOL - grantedToday))
}
