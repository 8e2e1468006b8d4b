import { type Db, PREPARED } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { IS_BOT } from '../../database/conditions.ts'
import { defineError } from '../../errors.ts'

export class UserNotFoundError extends defineError('NOT_FOUND', 'User not found.') {}

/** Finds the public data of a player. */
export async function findPublicUser(db: Db, id: UserId) {
  return await db
    .selectFrom('users as u')
    .innerJoin('accounts as a', 'a.user_id', 'u.id')
    .select(['u.username', IS_BOT.as('isBot'), 'u.emoji', 'u.about', 'u.profile_picture_url as profilePictureUrl'])
    .select(['a.sol_balance as solBalance', 'u.created_at as createdAt'])
    .where('u.id', '=', id)
    .modifyFront(PREPARED)
    .executeTakeFirst()
}
