import { sql } from 'kysely'

/**
 * SQL: whether a user `u` may have a place, a medal or a rating. A suspended or frozen account has none on any board. When the
 * suspension is lifted, its places, medals and rating are back. What was decided meanwhile stays: the winners of a giveaway,
 * the results of a fair, and stickers for medals.
 */
export const MAY_RANK = sql<boolean>`(u.standing = 'active')`
