import { STARTING_BALANCE } from '@papermoon/amm'
import type { Done, RegisterInput } from '@papermoon/contract/auth'
import type { Context } from '../../../context.ts'
import { hasFreeSeat, takeSeat } from '../../fairs/public.ts'
import { hashSecret } from '../credentials.ts'
import { DELETED_NAME } from '../deletion/store.ts'
import { sendVerificationLink } from '../email/email-links.ts'
import { assertStrongPassword } from '../password/password-strength.ts'
import { recordAccountEvent } from '../records/account-events.ts'
import {
  assertNewUsername,
  EmailTakenError,
  isEmailTaken,
  toEmailKey,
  UsernameTakenError,
  usernameKey,
} from '../username-key.ts'
import { beginSession, requireCookie, setSessionCookie } from './begin-session.ts'
import { GuardedAttempt } from './guarded-attempt.ts'
import { claimTapePlays, findTaken, insertUser } from './store.ts'

/**
 * Creates a player with the starting balance and logs them in, in one transaction. After a few registrations from one
 * IP address, each further one requires proof of work. With an invitation to a room, the new player gets one of the
 * room's free seats. Rejected registrations count, too, because they reveal which addresses are registered. Throws
 * `ProofOfWorkNeededError`, `RateLimitedError`, `WeakPasswordError`, `UsernameTakenError`, `EmailTakenError` and
 * `PasswordQueueFullError`.
 */
export async function register(ctx: Context, input: RegisterInput): Promise<Done> {
  requireCookie(ctx, 'session')
  const { app } = ctx
  const keys = { usernameKey: usernameKey(input.username), emailKey: toEmailKey(input.email) }
  const tries = new GuardedAttempt(ctx, { purpose: 'register', subject: keys.emailKey })
  const { invite } = input
  await tries.spend(['register-free'])
  await app.accounts.limits.spend(ctx, 'register')
  const isInvited = invite !== undefined && (await hasFreeSeat(app, invite))
  if (keys.usernameKey.startsWith(usernameKey(DELETED_NAME))) throw new UsernameTakenError()
  await assertStrongPassword(input.password, [input.username, input.email])
  // Check names before hashing the password, to save work. If two calls register the same name, the unique columns
  // decide.
  const taken = await findTaken(app.platform.db, keys)
  if (taken !== null) throw takenError(taken)
  assertNewUsername(input.username)
  const passwordHash = await app.accounts.passwords.hash(ctx.ip, input.password)
  const { session, userId } = await app.platform.db
    .transaction()
    .execute(async (tx) => {
      const { username, email, wallet } = input
      const stored = { username_key: keys.usernameKey, email_key: keys.emailKey, password_hash: passwordHash }
      const user = { username, email, wallet, ...stored, created_at: app.platform.clock.now() }
      const userId = await insertUser(tx, user, STARTING_BALANCE)
      if (isInvited) await takeSeat(tx, invite, userId)
      const session = await beginSession(tx, ctx, userId)
      await claimTapePlays(tx, userId, hashSecret(session.browserToken))
      await recordAccountEvent(app, ctx, { userId, kind: 'registered' }, tx)
      return { session, userId }
    })
    .catch((error: unknown) => {
      throw asTakenError(error) ?? error
    })
  setSessionCookie(ctx, session, passwordHash)
  void sendVerificationLink(ctx, { userId, email: input.email })
  return { ok: true }
}

function takenError(what: 'username' | 'email'): Error {
  return what === 'email' ? new EmailTakenError() : new UsernameTakenError()
}

/** Converts the database's error when two calls register the same name or email address at the same time. */
function asTakenError(error: unknown): Error | null {
  if (isEmailTaken(error)) return new EmailTakenError()
  if (!(error instanceof Error) || !('constraint' in error)) return null
  if (error.constraint === 'users_username_key_key') return new UsernameTakenError()
  return null
}
