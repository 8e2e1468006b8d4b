import { randomBytes } from 'node:crypto'
import type { Context } from '../context.ts'
import { hashSecret, newSecret } from '../credentials.ts'
import { NeedsHttpError, NotSignedInError } from '../errors.ts'
import type { UserId } from '../ids.ts'
import { PasskeyInvalidError, PasskeysBusyError, PasskeysUnavailableError } from './passkey-errors.ts'
import { type PasskeyPurpose, putChallenge, takeChallenge } from './passkey-store.ts'
import type { RelyingParty } from './relying-party.ts'

/** Time to find a security key or a phone. */
export const CHALLENGE_MS = 5 * 60_000
const CHALLENGE_BYTES = 32
const TOKEN = /^[\w-]{43}$/

/** Whom a passkey is for where the call came. Throws `PasskeysUnavailableError`. */
export function requireRelyingParty(ctx: Context): RelyingParty {
  const party = ctx.relyingParty()
  if (party === null) throw new PasskeysUnavailableError()
  return party
}

/** A challenge for whoever signs in with this browser, as base64url; a cookie binds it. */
export async function beginLoginChallenge(ctx: Context): Promise<string> {
  if (ctx.passkeyCookie === null) throw new NeedsHttpError()
  // The same browser keeps its place: asking again makes no further row.
  const token = ctx.passkeyToken !== null && TOKEN.test(ctx.passkeyToken) ? ctx.passkeyToken : newSecret()
  const challenge = await begin(ctx, { holder: hashSecret(token), purpose: 'login', userId: null })
  ctx.passkeyCookie.set(token)
  return challenge
}

/** A challenge for the signed-in player, as base64url; the session binds it. */
export async function beginChallenge(
  ctx: Context,
  userId: UserId,
  purpose: Exclude<PasskeyPurpose, 'login'>,
): Promise<string> {
  if (ctx.sessionToken === null) throw new NotSignedInError()
  return await begin(ctx, { holder: hashSecret(ctx.sessionToken), purpose, userId })
}

/** Ends this browser's login challenge and returns it, as base64url. Throws `PasskeyInvalidError` where none is open. */
export async function endLoginChallenge(ctx: Context): Promise<string> {
  if (ctx.passkeyCookie === null) throw new NeedsHttpError()
  if (ctx.passkeyToken === null) throw new PasskeyInvalidError()
  const { challenge } = await end(ctx, hashSecret(ctx.passkeyToken), 'login')
  return challenge
}

/** Ends the player's own challenge and returns it, as base64url. Throws `PasskeyInvalidError` where none is open. */
export async function endChallenge(
  ctx: Context,
  userId: UserId,
  purpose: Exclude<PasskeyPurpose, 'login'>,
): Promise<string> {
  if (ctx.sessionToken === null) throw new NotSignedInError()
  const open = await end(ctx, hashSecret(ctx.sessionToken), purpose)
  if (open.userId !== userId) throw new PasskeyInvalidError()
  return open.challenge
}

interface Place {
  readonly holder: Buffer
  readonly purpose: PasskeyPurpose
  readonly userId: UserId | null
}

async function begin({ app }: Context, place: Place): Promise<string> {
  const challenge = randomBytes(CHALLENGE_BYTES)
  const now = app.clock.now()
  const expiresAt = new Date(now.getTime() + CHALLENGE_MS)
  if (!(await putChallenge(app.db, { ...place, challenge, expiresAt }, now))) throw new PasskeysBusyError()
  return challenge.toString('base64url')
}

async function end({ app }: Context, holder: Buffer, purpose: PasskeyPurpose) {
  const open = await takeChallenge(app.db, { holder, purpose, now: app.clock.now() })
  if (open === undefined) throw new PasskeyInvalidError()
  return { userId: open.userId, challenge: open.challenge.toString('base64url') }
}
