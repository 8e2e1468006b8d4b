import type { Db } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { visibleTokens } from '../../database/conditions.ts'

/** Finds those of a player's starred tokens that are visible, the most recently starred first. */
export async function findStarred(db: Db, userId: UserId): Promise<TokenId[]> {
  const rows = await db
    .selectFrom('watchlist as w')
    .innerJoin(visibleTokens.as('t'), 't.id', 'w.token_id')
    .select('w.token_id')
    .where('w.user_id', '=', userId)
    .orderBy('w.starred_at', 'desc')
    .orderBy('w.token_id', 'desc')
    .execute()
  return rows.map((row) => row.token_id as TokenId)
}

export async function isStarred(db: Db, userId: UserId, id: TokenId): Promise<boolean> {
  const row = await db
    .selectFrom('watchlist')
    .select('token_id')
    .where('user_id', '=', userId)
    .where('token_id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

interface NewStars {
  readonly userId: UserId
  /** Ids of tokens, the most recently starred first. */
  readonly tokenIds: readonly TokenId[]
  readonly now: Date
  /** Max number of stars to add. */
  readonly room: number
}

/** Adds stars to those of `tokenIds` that are visible, up to the max number. Existing stars keep their order. */
export async function insertStars(db: Db, { userId, tokenIds, now, room }: NewStars): Promise<void> {
  // Use times that differ by a millisecond, to store the order of the stars.
  await sql`
    insert into watchlist (user_id, token_id, starred_at)
    select ${userId}::int, wanted.id, ${now}::timestamptz - (wanted.place - 1) * interval '1 millisecond'
      from unnest(${[...tokenIds]}::int[]) with ordinality wanted (id, place)
      join ${visibleTokens} t on t.id = wanted.id
     where not exists (select from watchlist w where w.user_id = ${userId} and w.token_id = wanted.id)
     order by wanted.place limit ${room}
    on conflict do nothing`.execute(db)
}

export async function deleteStar(db: Db, userId: UserId, id: TokenId): Promise<void> {
  await db.deleteFrom('watchlist').where('user_id', '=', userId).where('token_id', '=', id).execute()
}
