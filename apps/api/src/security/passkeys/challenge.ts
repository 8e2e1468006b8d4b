import { createHmac, randomBytes } from 'node:crypto'
import type { Database } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { NotSignedInError } from '@papermoon/engine'
import type { Transaction } from 'kysely'
import type { App, Context } from '../../context.ts'
import { NeedsHttpError } from '../../errors.ts'
import { hashSecret, newSecret } from '../credentials.ts'
import { spendProof } from '../proof-of-work/store.ts'
import { PasskeyInvalidError, PasskeysUnavailableError } from './errors.ts'
import type { RelyingParty } from './relying-party.ts'
import { type PasskeyPurpose, putChallenge, takeChallenge } from './store.ts'

/** Time to find a security key or a phone. */
export const CHALLENGE_MS = 5 * 60_000
const CHALLENGE_BYTES = 32
/** A secret, and when its challenge expires. */
const TOKEN = /^[\w-]{43}\.(\d{13})$/

/** Whom a passkey is for where the call came. Throws `PasskeysUnavailableError`. */
export function requireRelyingParty(ctx: Context): RelyingParty {
  const party = ctx.relyingParty()
  if (party === null) throw new PasskeysUnavailableError()
  return party
}

/**
 * A challenge for whoever signs in with this browser, as base64url; a cookie binds it. It is made of the cookie, so that nothing is kept
 * of those who ask: however many do, everybody gets one.
 */
export function beginLoginChallenge({ app, passkeyCookie }: Context): string {
  if (passkeyCookie === null) throw new NeedsHttpError()
  const token = `${newSecret()}.${app.clock.now().getTime() + CHALLENGE_MS}`
  passkeyCookie.set(token)
  return toLoginChallenge(app, token)
}

/** A challenge for the signed-in player, as base64url; the session binds it. */
export async function beginChallenge(ctx: Context, userId: UserId, purpose: PasskeyPurpose): Promise<string> {
  if (ctx.sessionToken === null) throw new NotSignedInError()
  return await begin(ctx, { holder: hashSecret(ctx.sessionToken), purpose, userId })
}

/** A challenge that a browser was given to sign in; `spendLoginChallenge` uses it up. */
export interface LoginChallenge {
  /** As base64url. */
  readonly challenge: string
  readonly expiresAt: Date
}

/** This browser's login challenge, which is its last try at it. Throws `PasskeyInvalidError` where none is open. */
export function takeLoginChallenge({ app, passkeyToken, passkeyCookie }: Context): LoginChallenge {
  if (passkeyCookie === null) throw new NeedsHttpError()
  const expiresMs = Number(TOKEN.exec(passkeyToken ?? '')?.[1])
  if (passkeyToken === null || !(expiresMs > app.clock.now().getTime())) throw new PasskeyInvalidError()
  passkeyCookie.clear()
  return { challenge: toLoginChallenge(app, passkeyToken), expiresAt: new Date(expiresMs) }
}

/** Uses up a challenge that was signed, once over all nodes. Throws `PasskeyInvalidError` where it was used before. */
export async function spendLoginChallenge(
  tx: Transaction<Database>,
  { challenge, expiresAt }: LoginChallenge,
): Promise<void> {
  if (!(await spendProof(tx, Buffer.from(challenge, 'base64url'), expiresAt))) throw new PasskeyInvalidError()
}

/** Nobody without the key knows the challenge of a cookie that they made up. */
function toLoginChallenge({ passkeyLoginKey }: Pick<App, 'passkeyLoginKey'>, token: string): string {
  return createHmac('sha256', passkeyLoginKey).update(token).digest('base64url')
}

/** Ends the player's own challenge and returns it, as base64url. Throws `PasskeyInvalidError` where none is open. */
export async function endChallenge(ctx: Context, userId: UserId, purpose: PasskeyPurpose): Promise<string> {
  if (ctx.sessionToken === null) throw new NotSignedInError()
  const open = await end(ctx, hashSecret(ctx.sessionToken), purpose)
  if (open.userId !== userId) throw new PasskeyInvalidError()
  return open.challenge
}

interface Place {
  readonly holder: Buffer
  readonly purpose: PasskeyPurpose
  readonly userId: UserId
}

async function begin({ app }: Context, place: Place): Promise<string> {
  const challenge = randomBytes(CHALLENGE_BYTES)
  const expiresAt = new Date(app.clock.now().getTime() + CHALLENGE_MS)
  await putChallenge(app.db, { ...place, challenge, expiresAt })
  return challenge.toString('base64url')
}

async function end({ app }: Context, holder: Buffer, purpose: PasskeyPurpose) {
  const open = await takeChallenge(app.db, { holder, purpose, now: app.clock.now() })
  if (open === undefined) throw new PasskeyInvalidError()
  return { userId: open.userId, challenge: open.challenge.toString('base64url') }
}
