import type { Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { NotSignedInError } from '@papermoon/engine'
import type { Context } from '../../../context.ts'
import { hashSecret } from '../credentials.ts'
import { lockUser } from '../own-rows.ts'

/**
 * Locks the player's row, so that other changes to their credentials wait for this transaction. Throws `NotSignedInError`
 * if a password reset or another device ended the session meanwhile.
 */
export async function lockSession(tx: Tx, { cookies }: Pick<Context, 'cookies'>, userId: UserId): Promise<void> {
  await lockUser(tx, userId)
  if (cookies.session.token === null) throw new NotSignedInError()
  const session = await tx
    .selectFrom('sessions')
    .select('user_id')
    .where('token_hash', '=', hashSecret(cookies.session.token))
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (session === undefined) throw new NotSignedInError()
}
