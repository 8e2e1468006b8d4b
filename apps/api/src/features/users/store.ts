import type { Database } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import type { Kysely } from 'kysely'

/** The public columns of a player. */
export interface PublicUserRow {
  readonly username: string
  readonly profile_picture_url: string | null
  readonly sol_balance: string
  readonly created_at: Date
}

export async function findPublicUser(db: Kysely<Database>, id: UserId): Promise<PublicUserRow | undefined> {
  return await db
    .selectFrom('users as u')
    .innerJoin('accounts as a', 'a.user_id', 'u.id')
    .select(['u.username', 'u.profile_picture_url', 'a.sol_balance', 'u.created_at'])
    .where('u.id', '=', id)
    .executeTakeFirst()
}
