import type { DatabaseClient, Role } from '@papermoon/db'
import { Registry } from 'prom-client'
import { hashSecret, newSecret } from '../../features/account/credentials.ts'
import { endCredentials } from '../../features/account/end-credentials.ts'
import { deleteSecondFactors } from '../../features/account/factors/store.ts'
import { createPasswordHasher } from '../../features/account/password/passwords.ts'
import {
  insertReset,
  newResetCode,
  RESET_CODE_MS,
  setCode,
  toAccountKey,
} from '../../features/account/password/reset-store.ts'
import { recordOperatorEvent } from '../../features/account/records/account-events.ts'
import { findHasFactor } from '../../features/account/step-up.ts'
import { findPersonal, lockUser } from '../../features/account/store.ts'
import { toEmailKey } from '../../features/account/username-key.ts'
import { aboutPlayer, appendAct, byCommand } from '../../features/moderation/log.ts'
import { CommandError } from '../run-command.ts'
import { findUser } from './store.ts'

const ROLES: readonly Role[] = ['player', 'moderator', 'operator']

/** Gives a role to a player who has a second factor, and logs the change. Throws `CommandError`. */
export async function role({ db }: Pick<DatabaseClient, 'db'>, user: string, to: string): Promise<string> {
  const wanted = ROLES.find((name) => name === to)
  if (wanted === undefined) throw new CommandError(`There is no role ${to}. Choose player, moderator or operator.`)
  const { id, name } = await findUser(db, user)
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, id)
    if (wanted !== 'player' && !(await findHasFactor(tx, id)))
      throw new CommandError(
        `${name} has no second factor. They must first add an authenticator app or a passkey in Settings.`,
      )
    await tx.updateTable('users').set({ role: wanted }).where('id', '=', id).execute()
    await appendAct(tx, { ...byCommand(), ...aboutPlayer(id), act: `role-${wanted}` })
  })
  return `${name} is now ${wanted === 'player' ? 'a player' : wanted === 'operator' ? 'an operator' : 'a moderator'}.`
}

/** Ends every session and API key of a player. Throws `CommandError`. */
export async function logout({ db }: DatabaseClient, user: string): Promise<string> {
  const { id, name } = await findUser(db, user)
  const { sessions, keys } = await db.transaction().execute(async (tx) => {
    // Logins and new API keys lock the same row, so they cannot run at the same time as this command.
    await lockUser(tx, id)
    const ended = await endCredentials(tx, id)
    const detail = { sessions: ended.sessions.length, keys: ended.apiKeys.length }
    await recordOperatorEvent(tx, { userId: id, kind: 'logged_out_by_operator', detail })
    return detail
  })
  const ended = [count(sessions, 'session'), count(keys, 'API key')].filter((text) => text !== null)
  if (ended.length === 0) return `${name} had no session and no API key.`
  return `${name} is logged out. Ended: ${ended.join(' and ')}.`
}

function count(number: number, what: string): string | null {
  return number === 0 ? null : `${number} ${number === 1 ? what : `${what}s`}`
}

/**
 * Removes the authenticator app, recovery codes and passkeys of a player who lost them. The player still needs the
 * password to log in. The player also loses any role. Throws `CommandError`.
 */
export async function removeFactors({ db }: DatabaseClient, user: string): Promise<string> {
  const { id: userId, name } = await findUser(db, user)
  const { hadTotp, passkeys, hadRole } = await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    const removed = await deleteSecondFactors(tx, userId)
    // Remove the role, because anyone who knows the password can now add a second factor.
    const { numUpdatedRows } = await tx
      .updateTable('users')
      .set({ role: 'player' })
      .where('id', '=', userId)
      .where('role', '<>', 'player')
      .executeTakeFirst()
    const hadRole = numUpdatedRows > 0n
    if (hadRole) await appendAct(tx, { ...byCommand(), ...aboutPlayer(userId), act: 'role-player' })
    if (removed.hadTotp) await recordOperatorEvent(tx, { userId, kind: 'totp_disabled' })
    if (removed.passkeys > 0) {
      await recordOperatorEvent(tx, { userId, kind: 'passkey_removed', detail: { passkeys: removed.passkeys } })
    }
    return { ...removed, hadRole }
  })
  if (!hadTotp && passkeys === 0) return `${name} had no second factor.`
  const parts = [...(hadTotp ? ['the authenticator app'] : []), ...(passkeys > 0 ? [countPasskeys(passkeys)] : [])]
  const ended = hadRole ? ' Their role ended too. Give it again when they have added a new factor.' : ''
  return `${name} now logs in with the password alone. Removed: ${parts.join(' and ')}.${ended}`
}

function countPasskeys(count: number): string {
  return count === 1 ? '1 passkey' : `${count} passkeys`
}

/**
 * Creates a reset code for a player who asked the operator for it. The reset code works in browsers that requested a
 * code for the account. In other browsers, the player must also enter the email address. Throws `CommandError`.
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
  // The link contains the email address in its fragment, which never reaches a server, so no proxy logs the address.
  const page = `/reset-password#email=${encodeURIComponent(email)}`
  return `The reset code for ${name} is ${code}. Enter it within 15 minutes at ${page}.`
}

async function hashCode(code: string): Promise<string> {
  const passwords = createPasswordHasher(new Registry())
  try {
    // Pass no IP address to the password queue, because only this command uses it.
    return await passwords.hash('', code)
  } finally {
    await passwords.close()
  }
}
