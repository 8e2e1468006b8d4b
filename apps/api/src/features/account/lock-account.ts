import type { Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { lockSession } from '../../accounts/lock-session.ts'
import type { Context } from '../../context.ts'
import { WrongPasswordError } from './errors.ts'
import { findPasswordHash } from './store.ts'

interface Proven {
  readonly userId: UserId
  /** Hash of the password that the caller gave. */
  readonly passwordHash: string
}

/**
 * Serializes changes of the account. Throws `WrongPasswordError` if the password was changed since the caller gave it,
 * and `NotSignedInError` if the session has ended.
 */
export async function lockAccount(tx: Tx, ctx: Context, { userId, passwordHash }: Proven): Promise<void> {
  await lockSession(tx, ctx, userId)
  if ((await findPasswordHash(tx, userId)) !== passwordHash) throw new WrongPasswordError()
}
