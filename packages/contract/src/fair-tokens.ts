/** Tokens with an id from this one on belong to a fair that ends; those below to the fairground, fair 1. */
export const FIRST_FAIR_TOKEN = 1_000_000_000

/** Tokens that a player may launch in one fair. */
export const FAIR_LAUNCHES_MAX = 3

/** Whether a token belongs to another fair than the fairground. */
export function isFairToken(id: number): boolean {
  return id >= FIRST_FAIR_TOKEN
}
