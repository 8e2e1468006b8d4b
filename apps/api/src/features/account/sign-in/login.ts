import type { Done, LoginInput, LoginResult, PasskeyLoginInput } from '@papermoon/contract/auth'
import type { AssertionOptions } from '@papermoon/contract/webauthn'
import type { Tx } from '@papermoon/db'
import type { Context } from '../../../context.ts'
import { toNetworkKey } from '../../../security/client-address.ts'
import { hashSecret } from '../credentials.ts'
import { mailAccountChange } from '../email/account-mail.ts'
import { InvalidCredentialsError } from '../errors.ts'
import {
  countCodesLeft,
  type FactorProof,
  proveSecondFactor,
  SecondFactorInvalidError,
  spendFactorProof,
} from '../factors/second-factor.ts'
import {
  beginLoginChallenge,
  PasskeyInvalidError,
  requireRelyingParty,
  spendLoginChallenge,
  takeLoginChallenge,
} from '../passkeys/challenge.ts'
import { spendPasskey, toAssertionOptions, verifyPasskey } from '../passkeys/verify-passkey.ts'
import { recordAccountEvent } from '../records/account-events.ts'
import { findPasswordHash } from '../store.ts'
import { toEmailKey } from '../username-key.ts'
import { beginSession, findTrustedBrowser, requireCookie, setSessionCookie } from './begin-session.ts'
import { GuardedAttempt, type LimitCharge } from './guarded-attempt.ts'
import { type Credentials, findCredentials, markFactorProven } from './store.ts'

/**
 * Logs a player in with a new session, by password and, if the account has one, second factor.
 *
 * Only wrong attempts count against the account. Attempts from trusted browsers are counted separately, and beyond a
 * limit an attempt requires proof of work, so a stranger's guesses never lock the owner out.
 *
 * Throws `InvalidCredentialsError` after the same amount of work, whether the email address is known or not. After a
 * correct password, throws `SecondFactorNeededError`, `SecondFactorInvalidError`, `TooManyCodesError` and
 * `AccountFrozenError`. Also throws `ProofOfWorkNeededError`, `RateLimitedError` and `PasswordQueueFullError`.
 */
export async function login(ctx: Context, input: LoginInput): Promise<LoginResult> {
  requireCookie(ctx, 'session')
  const key = toEmailKey(input.email)
  const tries = new GuardedAttempt(ctx, { purpose: 'login', subject: key })
  await tries.spend(['attempt'])
  const user = await findCredentials(ctx.app.platform.db, key)
  // Count the attempt before checking the password, because concurrent attempts must be limited, too.
  await spendTry(ctx, tries, { key, user })
  try {
    const result = await signIn(ctx, input, user)
    await tries.refund()
    return result
  } catch (error) {
    if (error instanceof InvalidCredentialsError) recordRefusal(ctx, user, 'password')
    else if (error instanceof SecondFactorInvalidError) recordRefusal(ctx, user, 'code')
    else await tries.refund()
    throw error
  }
}

async function signIn(ctx: Context, input: LoginInput, user: Credentials | undefined): Promise<LoginResult> {
  const { app } = ctx
  const fits = await app.accounts.passwords.fits(ctx.ip, input.password, user?.passwordHash)
  if (user === undefined || !fits) throw new InvalidCredentialsError()
  const isKnown = findTrustedBrowser(ctx, user.passwordHash) !== null
  const proof = await proveSecondFactor(ctx, { userId: user.id, code: input.totp, isKnown })
  const { session, left } = await app.platform.db.transaction().execute(async (tx) => {
    // Begin no session if the password was reset after the check, because the reset ended all sessions.
    if ((await findPasswordHash(tx, user.id, 'lock')) !== user.passwordHash) throw new InvalidCredentialsError()
    await spendFactorProof(tx, user.id, proof)
    const begun = await beginSession(tx, ctx, user.id)
    // Right after this login, players who lost their authenticator app can replace it. Later, replacing the app
    // requires a code again, because someone may have stolen the cookie.
    if (proof.kind === 'recovery_code') await markFactorProven(tx, hashSecret(begun.token), app.platform.clock.now())
    return { session: begun, left: await recordSignIn(tx, ctx, { user, proof }) }
  })
  setSessionCookie(ctx, session, user.passwordHash)
  if (!isKnown) mailAccountChange(app, { userId: user.id, kind: 'new_browser', caller: ctx })
  return { ok: true, ...(left !== null && { recoveryCodesLeft: left }) }
}

type Proof = 'password' | 'code'

/**
 * Records the login in the account's events. Returns the number of remaining recovery codes if one was used, otherwise
 * null.
 */
async function recordSignIn(
  tx: Tx,
  ctx: Context,
  { user: { id: userId }, proof }: { readonly user: Credentials; readonly proof: FactorProof },
): Promise<number | null> {
  const { app } = ctx
  const left = await countCodesLeft(tx, userId, proof)
  if (left !== null) await recordAccountEvent(app, ctx, { userId, kind: 'recovery_code_used', detail: { left } }, tx)
  const by = proof.kind === 'none' ? 'password' : 'password and code'
  await recordAccountEvent(app, ctx, { userId, kind: 'signed_in', detail: { by } }, tx)
  return left
}

/**
 * Records the rejection. Callers do not await this, because the response time must not reveal whether the email address
 * is known.
 */
function recordRefusal(ctx: Context, user: Credentials | undefined, wrong: Proof): void {
  const { app, ip } = ctx
  if (user === undefined) app.accounts.securityLog.refused({ kind: 'sign_in_refused', userId: null, ip })
  else void recordAccountEvent(app, ctx, { userId: user.id, kind: 'sign_in_refused', detail: { wrong } })
}

interface Tried {
  readonly key: string
  readonly user: Credentials | undefined
}

/**
 * Counts an attempt as wrong before it is checked; a successful attempt is given back. Throws `ProofOfWorkNeededError`
 * and `RateLimitedError`.
 */
async function spendTry(ctx: Context, tries: GuardedAttempt, { key, user }: Tried): Promise<void> {
  const browser = findTrustedBrowser(ctx, user?.passwordHash)
  if (browser !== null) {
    await tries.spend(['attempt', `login ${key} ${browser}`])
    return await tries.spendIfWorked(workedLogins(`${key} ${browser}`))
  }
  const network = toNetworkKey(ctx.ip)
  await tries.spend(['attempt', `login ${key} ${network}`], ['sign-in', `login ${key}`])
  await tries.spendIfWorked(workedLogins(`${key} ${network}`), ['hourly', `login ${network}`])
}

/** Max 20 wrong passwords a day with proof of work, for one account from one network or browser. */
function workedLogins(key: string): LimitCharge {
  return ['daily', { key: `login ${key}`, most: 20 }]
}

/**
 * Logs a player in with a passkey. A passkey replaces both the password and the second factor, because it proves who
 * has the device and verifies the person. Throws `PasskeyInvalidError` and `PasskeysUnavailableError`.
 */
export async function loginWithPasskey(ctx: Context, { credential }: PasskeyLoginInput): Promise<Done> {
  requireCookie(ctx, 'session')
  const { app } = ctx
  const party = requireRelyingParty(ctx)
  const asked = takeLoginChallenge(ctx)
  const passkey = await verifyPasskey(app, { challenge: asked.challenge, assertion: credential, party })
  const { session, passwordHash } = await app.platform.db.transaction().execute(async (tx) => {
    // Lock the player's row. A concurrent password reset then waits for this transaction, and ends this session, too.
    const passwordHash = await findPasswordHash(tx, passkey.userId, 'lock')
    if (passwordHash === undefined) throw new PasskeyInvalidError()
    await spendLoginChallenge(tx, asked)
    await spendPasskey(tx, app, passkey)
    const session = await beginSession(tx, ctx, passkey.userId)
    const { userId, name } = passkey
    await recordAccountEvent(app, ctx, { userId, kind: 'signed_in', detail: { by: 'passkey', name } }, tx)
    return { session, passwordHash }
  })
  const isKnown = findTrustedBrowser(ctx, passwordHash) !== null
  setSessionCookie(ctx, session, passwordHash)
  if (!isKnown) mailAccountChange(app, { userId: passkey.userId, kind: 'new_browser', caller: ctx })
  return { ok: true }
}

/**
 * Returns the options with which a browser logs in with any passkey that it has for this site, without asking for a
 * username first. Throws `PasskeysUnavailableError`.
 */
export function beginPasskeyLogin(ctx: Context): AssertionOptions {
  const party = requireRelyingParty(ctx)
  return toAssertionOptions(beginLoginChallenge(ctx), party)
}
