import type { Database } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import type { Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import { lockSession } from '../../security/accounts/lock-session.ts'
import { WrongPasswordError } from './errors.ts'
import { findPasswordHash } from './store.ts'

interface Proven {
  readonly userId: UserId
  /** Of the password that was given. */
  readonly passwordHash: string
}

/**
 * Makes other changes of the account wait. Throws `WrongPasswordError` where its password was changed since it was given, and
 * `NotSignedInError` where the session ended.
 */
export async function lockAccount(
  tx: Transaction<Database>,
  ctx: Context,
  { userId, passwordHash }: Proven,
): Promise<void> {
  await lockSession(tx, ctx, userId)
  if ((await findPasswordHash(tx, userId)) !== passwordHash) throw new WrongPasswordError()
}
