import { z } from 'zod'

/** Max value of PostgreSQL's `integer`, the type of all public ids. */
export const ID_MAX = 2_147_483_647

export const positiveId = z.int('must be a whole number').min(1, 'must be above 0').max(ID_MAX, 'is too large')

export const tokenId = positiveId.brand<'TokenId'>()
export type TokenId = z.output<typeof tokenId>

export const userId = positiveId.brand<'UserId'>()
export type UserId = z.output<typeof userId>

/** A fair's id, except 1, which is the fairground. */
export const fairId = z.int('must be a whole number').min(2, 'must be the id of a fair').max(ID_MAX, 'is too large')

/** Returns a schema for a whole number within bounds, with an error message for each bound. */
export function wholeNumber(min: number, max: number) {
  const below = min === 1 ? 'must be above 0' : min === 0 ? 'must be 0 or above' : `must be at least ${min}`
  return z.int('must be a whole number').min(min, below).max(max, `must be at most ${max}`)
}
