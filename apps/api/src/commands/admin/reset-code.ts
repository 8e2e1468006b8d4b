import type { DatabaseClient } from '@papermoon/db'
import { Registry } from 'prom-client'
import { hashSecret, newSecret } from '../../features/account/credentials.ts'
import { toEmailKey } from '../../features/account/email/email-key.ts'
import { createPasswordHasher } from '../../features/account/password/passwords.ts'
import {
  insertReset,
  newResetCode,
  RESET_CODE_MS,
  setCode,
  toAccountKey,
} from '../../features/account/password/reset-store.ts'
import { recordOperatorEvent } from '../../features/account/records/account-events.ts'
import { findPersonal } from '../../features/account/store.ts'
import { findUser } from './find-user.ts'

/**
 * Creates a reset code for a player who asked the operator for it. The code works in browsers that requested a code for
 * the account. In other browsers, the player must also enter the email address. Throws `CommandError`.
 */
export async function makeResetCode({ db }: DatabaseClient, user: string): Promise<string> {
  const { id: userId, name } = await findUser(db, user)
  const [, email = ''] = await findPersonal(db, userId)
  const code = newResetCode()
  const codeHash = await hashCode(code)
  const now = new Date()
  const times = { created_at: now, expires_at: new Date(now.getTime() + RESET_CODE_MS) }
  const made = { user_id: userId, code_hash: codeHash, ...times }
  const account_key = toAccountKey(toEmailKey(email))
  await db.transaction().execute(async (tx) => {
    await setCode(tx, made)
    await insertReset(tx, { ...made, account_key, token_hash: hashSecret(newSecret()) })
    await recordOperatorEvent(tx, { userId, kind: 'reset_requested' })
  })
  // The email address is in the fragment, which never reaches a server, so no proxy logs it.
  const page = `/reset-password#email=${encodeURIComponent(email)}`
  return `The reset code for ${name} is ${code}. Enter it within 15 minutes at ${page}.`
}

async function hashCode(code: string): Promise<string> {
  const passwords = createPasswordHasher(new Registry())
  try {
    // Pass no IP address, because a command shares the queue with nobody.
    return await passwords.hash('', code)
  } finally {
    await passwords.close()
  }
}
