import type { Context } from '../../context.ts'
import { beginSession, cookieOf, handOver } from './begin-session.ts'
import { emailKey } from './email-key.ts'
import { InvalidCredentialsError } from './errors.ts'
import type { Done, LoginInput } from './schemas.ts'
import { findCredentials, hasPassword } from './store.ts'

/**
 * Signs a player in with a new session. Throws `InvalidCredentialsError`, after the same work whether the e-mail
 * is known or not, `RateLimitedError`, and `PasswordQueueFullError`.
 */
export async function login(ctx: Context, input: LoginInput): Promise<Done> {
  cookieOf(ctx)
  const { db, limits, passwords } = ctx.app
  const key = emailKey(input.email)
  await limits.spendAccount(ctx, 'login', key)
  const user = await findCredentials(db, key)
  const fits = await passwords.fits(input.password, user?.passwordHash)
  if (user === undefined || !fits) throw new InvalidCredentialsError()
  const token = await db.transaction().execute(async (tx) => {
    // A reset that came between would end every session but this one.
    if (!(await hasPassword(tx, user))) throw new InvalidCredentialsError()
    return await beginSession(tx, ctx, user.id)
  })
  handOver(ctx, token)
  return { ok: true }
}
