import type { Database } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { NotSignedInError } from '@papermoon/engine'
import type { Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import { hashSecret } from '../credentials.ts'

/**
 * Makes a player's other changes to how they sign in wait until the transaction ends. Throws `NotSignedInError` where a
 * password reset, or another device, ended this session meanwhile.
 */
export async function lockSession(
  tx: Transaction<Database>,
  { sessionToken }: Pick<Context, 'sessionToken'>,
  userId: UserId,
): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
  if (sessionToken === null) throw new NotSignedInError()
  const session = await tx
    .selectFrom('sessions')
    .select('user_id')
    .where('token_hash', '=', hashSecret(sessionToken))
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (session === undefined) throw new NotSignedInError()
}
