import { sql } from 'kysely'

/**
 * SQL for whether a user `u` may have a rank, a medal or a rating. A suspended or frozen account appears on no board.
 * When the suspension is lifted, the account's ranks, medals and rating return. Decisions made meanwhile stay: giveaway
 * winners, fair results, and stickers for medals.
 */
export const MAY_RANK = sql<boolean>`(u.standing = 'active')`
