import { WATCHLIST_MAX, type Watchlist } from '@papermoon/contract/watchlist'
import { type TokenId, TokenNotFoundError, type UserId } from '@papermoon/engine'
import type { App } from '../../context.ts'
import { tokenExists } from '../../database/conditions.ts'
import { defineError } from '../../errors.ts'
import { countOwn, lockUser } from '../account/public.ts'
import { deleteStar, findStarred, insertStars, isStarred } from './store.ts'

class WatchlistFullError extends defineError(
  'WATCHLIST_FULL',
  `You already watch ${WATCHLIST_MAX} tokens. Please remove the star from one of them first.`,
  { details: { limit: 'watchlist', maximum: WATCHLIST_MAX } },
) {}

export async function getWatchlist({ platform: { db } }: App, userId: UserId): Promise<Watchlist> {
  return { tokenIds: await findStarred(db, userId) }
}

/**
 * Adds a star to a token. A token that already has a star keeps its position in the list. Throws `TokenNotFoundError`
 * and `WatchlistFullError`.
 */
export async function addStar({ platform: { db, clock } }: App, userId: UserId, id: TokenId): Promise<Watchlist> {
  return await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    if (!(await tokenExists(tx, id))) throw new TokenNotFoundError()
    if (!(await isStarred(tx, userId, id))) {
      if ((await countOwn(tx, 'watchlist', userId)) >= WATCHLIST_MAX) throw new WatchlistFullError()
      await insertStars(tx, { userId, tokenIds: [id], now: clock.now(), room: 1 })
    }
    return { tokenIds: await findStarred(tx, userId) }
  })
}

/** Removes the star of a token, even if the token is hidden. */
export async function removeStar({ platform: { db } }: App, userId: UserId, id: TokenId): Promise<Watchlist> {
  await deleteStar(db, userId, id)
  return { tokenIds: await findStarred(db, userId) }
}

/** Adds the stars that a device stored to a player's list, up to the max number. */
export async function mergeStars(
  { platform: { db, clock } }: App,
  userId: UserId,
  tokenIds: readonly TokenId[],
): Promise<Watchlist> {
  return await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    const room = WATCHLIST_MAX - (await countOwn(tx, 'watchlist', userId))
    await insertStars(tx, { userId, tokenIds: [...new Set(tokenIds)], now: clock.now(), room })
    return { tokenIds: await findStarred(tx, userId) }
  })
}
