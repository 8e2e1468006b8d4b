import { z } from 'zod'

/** Largest `integer` of PostgreSQL, the type of every public id. */
export const ID_MAX = 2_147_483_647

/** The id of anything. */
export const positiveId = z.int('must be a whole number').min(1, 'must be above 0').max(ID_MAX, 'is too large')

export const tokenId = positiveId.brand<'TokenId'>()
export type TokenId = z.output<typeof tokenId>

/** The id of a player: a positive integer. */
export const userId = positiveId.brand<'UserId'>()
export type UserId = z.output<typeof userId>

/** The id of a fair; that of the fairground, 1, is none. */
export const fairId = z.int('must be a whole number').min(2, 'must be the id of a fair').max(ID_MAX, 'is too large')

/** A whole number within bounds, with sentences for those who miss them. */
export function wholeNumber(min: number, max: number) {
  const below = min === 1 ? 'must be above 0' : min === 0 ? 'must be 0 or above' : `must be at least ${min}`
  return z.int('must be a whole number').min(min, below).max(max, `must be at most ${max}`)
}
