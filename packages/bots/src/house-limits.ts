/** SOL that a house bot holds at the start, and is topped up to. */
export const HOUSE_FLOAT_SOL = 100
/** Most SOL granted to one house bot on one day (UTC), its first grant aside. */
export const HOUSE_GRANT_MAX_SOL = 50
/** A house bot is topped up when its balance is below this, in SOL. */
export const HOUSE_GRANT_BELOW_SOL = 40

/** The grant that a house bot gets now, in SOL: 0 for none. `grantedToday` is what it got since 0 h UTC. */
export function computeHouseGrant(balance: number, grantedToday: number): number {
  if (balance >= HOUSE_GRANT_BELOW_SOL) return 0
  return Math.max(0, Math.min(HOUSE_FLOAT_SOL - balance, HOUSE_GRANT_MAX_SOL - grantedToday))
}
