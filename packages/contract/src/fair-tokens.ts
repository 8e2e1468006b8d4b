/** Token ids from here on are tokens of fairs that end. Lower ones are in the fairground, fair 1. */
export const FIRST_FAIR_TOKEN = 1_000_000_000

/** Max tokens that a player can launch in one fair. */
export const FAIR_LAUNCHES_MAX = 3

/** Whether a token is in a fair that ends, not in the fairground. */
export function isFairToken(id: number): boolean {
  return id >= FIRST_FAIR_TOKEN
}
