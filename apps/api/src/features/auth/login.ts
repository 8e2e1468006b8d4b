import { addressKey } from '../../client-address.ts'
import type { Context } from '../../context.ts'
import type { LimitName } from '../../rate-limits.ts'
import { recordAccountEvent } from '../../security/account-events.ts'
import { beginSession, cookieOf, handOver } from './begin-session.ts'
import { emailKey } from './email-key.ts'
import { InvalidCredentialsError } from './errors.ts'
import { knownBrowserOf } from './known-browser.ts'
import type { Done, LoginInput } from './schemas.ts'
import { type Credentials, findCredentials, hasPassword } from './store.ts'

/**
 * Signs a player in with a new session. Only wrong tries count against the account, those of a browser that signed in
 * before apart from everybody else's: a stranger's guesses never keep the owner out. Throws `InvalidCredentialsError`,
 * after the same work whether the e-mail is known or not, `RateLimitedError`, and `PasswordQueueFullError`.
 */
export async function login(ctx: Context, input: LoginInput): Promise<Done> {
  cookieOf(ctx)
  const key = emailKey(input.email)
  const user = await findCredentials(ctx.app.db, key)
  // Spent before the password is looked at, so that many tries at the same moment are bounded, too.
  const refund = await spendTry(ctx, key, user)
  try {
    await signIn(ctx, input.password, user)
  } catch (error) {
    if (error instanceof InvalidCredentialsError) recordRefusal(ctx, user)
    else await refund()
    throw error
  }
  await refund()
  return { ok: true }
}

async function signIn(ctx: Context, password: string, user: Credentials | undefined): Promise<void> {
  const { db, passwords } = ctx.app
  const fits = await passwords.fits(password, user?.passwordHash)
  if (user === undefined || !fits) throw new InvalidCredentialsError()
  const token = await db.transaction().execute(async (tx) => {
    // A reset that came between would end every session but this one.
    if (!(await hasPassword(tx, user))) throw new InvalidCredentialsError()
    const begun = await beginSession(tx, ctx, user.id)
    await recordAccountEvent(ctx.app, ctx, { userId: user.id, kind: 'signed_in', detail: { by: 'password' } }, tx)
    return begun
  })
  handOver(ctx, token, user.passwordHash)
}

/** Not awaited: whether the e-mail is known must not show in how long the answer takes. */
function recordRefusal(ctx: Context, user: Credentials | undefined): void {
  if (user !== undefined) void recordAccountEvent(ctx.app, ctx, { userId: user.id, kind: 'sign_in_refused' })
  else ctx.app.securityLog.refused({ kind: 'sign_in_refused', userId: null, ip: ctx.ip })
}

/** Counts a try as a wrong one; returns the way to take that back. Throws `RateLimitedError`. */
async function spendTry(ctx: Context, key: string, user: Credentials | undefined): Promise<() => Promise<void>> {
  const { limits } = ctx.app
  const browser = knownBrowserOf(ctx, user?.passwordHash)
  const spent: [LimitName, string][] =
    browser !== null
      ? [['login-known', `${key} ${browser}`]]
      : [
          ['login-here', `${key} ${addressKey(ctx.ip)}`],
          ['login', key],
        ]
  for (const [limit, account] of spent) await limits.spendAccount(ctx, limit, account)
  return async () => {
    for (const [limit, account] of spent) await limits.refundAccount(limit, account)
  }
}
