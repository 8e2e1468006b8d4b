import type { Db } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { IS_BOT } from '../../database/is-bot.ts'

/** The public columns of a player. */
export interface PublicUserRow {
  readonly username: string
  readonly is_bot: boolean
  readonly emoji: string | null
  readonly about: string | null
  readonly profile_picture_url: string | null
  readonly sol_balance: string
  readonly created_at: Date
}

export async function findPublicUser(db: Db, id: UserId): Promise<PublicUserRow | undefined> {
  return await db
    .selectFrom('users as u')
    .innerJoin('accounts as a', 'a.user_id', 'u.id')
    .select(['u.username', IS_BOT.as('is_bot'), 'u.emoji', 'u.about'])
    .select(['u.profile_picture_url', 'a.sol_balance', 'u.created_at'])
    .where('u.id', '=', id)
    .executeTakeFirst()
}
