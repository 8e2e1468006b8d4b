import type { Confirmed, ConfirmInput } from '@papermoon/contract/security'
import type { Assertion, AssertionOptions } from '@papermoon/contract/webauthn'
import type { Tx } from '@papermoon/db'
import { NotSignedInError, type UserId } from '@papermoon/engine'
import type { Context } from '../../../context.ts'
import { hashSecret, newSecret, toCredentialId } from '../credentials.ts'
import { WrongPasswordError } from '../errors.ts'
import {
  proveSecondFactor,
  SecondFactorInvalidError,
  spendFactorProof,
  WrongCodeError,
} from '../factors/second-factor.ts'
import { beginChallenge, endChallenge, PasskeyInvalidError, requireRelyingParty } from '../passkeys/challenge.ts'
import { findCredentials } from '../passkeys/store.ts'
import { spendPasskey, toAssertionOptions, verifyPasskey } from '../passkeys/verify-passkey.ts'
import { requireCookie } from '../sign-in/begin-session.ts'
import { PROOF_MS } from '../step-up.ts'
import { findPasswordHash, lockSession, lockUser, replaceToken } from '../store.ts'

/**
 * Confirms that the player is present, which allows this session for 10 minutes to do what `requireRecentProof`
 * protects. The session continues with a new token, so a copy of the old token is useless. Throws `WrongPasswordError`,
 * `WrongCodeError`, `PasskeyInvalidError`, `RateLimitedError`, `PasswordQueueFullError`, and `NeedsHttpError` over a
 * WebSocket.
 */
export async function confirm(ctx: Context, userId: UserId, input: ConfirmInput): Promise<Confirmed> {
  const { app, cookies } = ctx
  const oldToken = cookies.session.token
  if (oldToken === null) throw new NotSignedInError()
  const writer = requireCookie(ctx, 'session')
  const spend = await check(ctx, userId, input)
  const token = newSecret()
  const old = hashSecret(oldToken)
  const now = app.platform.clock.now()
  const expiresAt = await app.platform.db.transaction().execute(async (tx) => {
    await spend(tx)
    const byFactor = input.totp !== undefined || input.passkey !== undefined
    return await replaceToken(tx, { old, next: hashSecret(token), now, hasPrefix: writer.hasPrefix, byFactor })
  })
  app.accounts.sessions.cache.revoke(toCredentialId(old))
  writer.set(token, Math.floor((expiresAt.getTime() - now.getTime()) / 1_000))
  return { ok: true, until: new Date(now.getTime() + PROOF_MS).toISOString() }
}

async function check(ctx: Context, userId: UserId, { password, totp, passkey }: ConfirmInput): Promise<SpendProof> {
  if (passkey !== undefined) return await checkPasskey(ctx, userId, passkey)
  if (totp !== undefined) return await checkTotp(ctx, userId, totp)
  const passwordHash = await checkPassword(ctx, userId, password ?? '')
  return async (tx) => {
    await lockSession(tx, ctx, userId)
    await assertSamePassword(tx, userId, passwordHash)
  }
}

/**
 * Checks an assertion by one of the player's passkeys. Throws `PasskeyInvalidError` and `PasskeysUnavailableError`.
 */
async function checkPasskey(ctx: Context, userId: UserId, assertion: Assertion): Promise<SpendProof> {
  const party = requireRelyingParty(ctx)
  const challenge = await endChallenge(ctx, userId, 'confirm')
  const passkey = await verifyPasskey(ctx.app, { challenge, assertion, party })
  if (passkey.userId !== userId) throw new PasskeyInvalidError()
  return async (tx) => {
    await lockUser(tx, userId)
    await spendPasskey(tx, ctx.app, passkey)
  }
}

/**
 * Checks a code from the player's authenticator app. Every session counts as a trusted browser. Wrong codes are counted
 * separately for each session, so a thief with one session cannot use up the player's attempts. Throws `WrongCodeError`
 * (also if there is no app), `TooManyCodesError` and `RateLimitedError`.
 */
async function checkTotp(ctx: Context, userId: UserId, digits: string): Promise<SpendProof> {
  const { app, cookies } = ctx
  if (cookies.session.token === null) throw new NotSignedInError()
  const session = toCredentialId(hashSecret(cookies.session.token))
  await app.accounts.limits.spend(ctx, 'attempt')
  const counted = { key: `confirm ${session}`, most: 10 }
  await app.accounts.limits.spendAccount(ctx, 'daily', counted)
  const code = { kind: 'totp', digits } as const
  const proof = await proveSecondFactor(ctx, { userId, code, isKnown: true }).catch(asWrongCode)
  if (proof.kind !== 'totp') throw new WrongCodeError()
  await app.accounts.limits.refundAccount('daily', counted)
  return async (tx) => {
    await lockUser(tx, userId)
    await spendFactorProof(tx, userId, proof).catch(asWrongCode)
  }
}

/** Converts a 401 to another error, because the player stays logged in. */
function asWrongCode(error: unknown): never {
  throw error instanceof SecondFactorInvalidError ? new WrongCodeError() : error
}

/**
 * Returns the options with which a browser proves by passkey that the player is present. Throws
 * `PasskeysUnavailableError`, and `PasskeyInvalidError` if the player has no passkey for this site.
 */
export async function beginPasskeyConfirm(ctx: Context, userId: UserId): Promise<AssertionOptions> {
  const party = requireRelyingParty(ctx)
  const credentials = await findCredentials(ctx.app.platform.db, userId, party.id)
  if (credentials.length === 0) throw new PasskeyInvalidError()
  return toAssertionOptions(await beginChallenge(ctx, userId, 'confirm'), party, credentials)
}

/**
 * Marks a proof of presence as used, in the transaction that records the confirmation. Throws if the proof is no longer
 * valid.
 */
type SpendProof = (tx: Tx) => Promise<void>

/**
 * Checks the player's password and returns its hash. Only wrong attempts count, separately for each session, so a thief
 * with one session cannot lock out the others. Throws `WrongPasswordError`, `RateLimitedError`,
 * `PasswordQueueFullError`, and `NotSignedInError` for a call without a session.
 */
export async function checkPassword(ctx: Context, userId: UserId, password: string): Promise<string> {
  const {
    platform: { db },
    accounts: { limits, passwords },
  } = ctx.app
  if (ctx.cookies.session.token === null) throw new NotSignedInError()
  const session = toCredentialId(hashSecret(ctx.cookies.session.token))
  await limits.spend(ctx, 'attempt')
  // Count the attempt before checking the password, because concurrent attempts must be limited, too.
  await limits.spendAccount(ctx, 'attempt', session)
  const passwordHash = await findPasswordHash(db, userId)
  const fits = await passwords.fits(ctx.ip, password, passwordHash)
  if (passwordHash === undefined || !fits) throw new WrongPasswordError()
  await limits.refundAccount('attempt', session)
  return passwordHash
}

/** Throws `WrongPasswordError` if the player's password is no longer the one that the caller gave. */
export async function assertSamePassword(tx: Tx, userId: UserId, passwordHash: string): Promise<void> {
  if ((await findPasswordHash(tx, userId)) !== passwordHash) throw new WrongPasswordError()
}
