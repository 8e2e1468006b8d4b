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
