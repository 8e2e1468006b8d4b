import { createHmac, randomBytes } from 'node:crypto'
import type { Tx } from '@papermoon/db'
import { NotSignedInError, type UserId } from '@papermoon/engine'
import type { AppPart, Context, RelyingParty } from '../../../context.ts'
import { defineError, NeedsHttpError } from '../../../errors.ts'
import { spendProof } from '../../../security/proof-of-work/proof-of-work.ts'
import { hashSecret, newSecret } from '../credentials.ts'
import { type PasskeyPurpose, putChallenge, takeChallenge } from './store.ts'

/** Max number of passkeys per player. */
export const PASSKEYS_MAX = 20

export class TooManyPasskeysError extends defineError(
  'TOO_MANY_PASSKEYS',
  `You already have ${PASSKEYS_MAX} passkeys. Please remove one of them first.`,
  { details: { limit: 'passkeys', maximum: PASSKEYS_MAX } },
) {}

export class PasskeyExistsError extends defineError('PASSKEY_EXISTS', 'This passkey was already added.') {}

const PASSKEYS_NEED_HTTPS = 'Passkeys work only over HTTPS or on localhost.'

/**
 * The assertion is invalid: the passkey is unknown, the challenge is expired or used, or the signature is wrong. All
 * these cases throw the same error.
 */
export class PasskeyInvalidError extends defineError(
  'PASSKEY_INVALID',
  'This passkey did not work. Please try again, or log in another way.',
) {}

/** Browsers support passkeys only at HTTPS URLs and at localhost, and this URL is neither. */
class PasskeysUnavailableError extends defineError('PASSKEYS_UNAVAILABLE', PASSKEYS_NEED_HTTPS) {}

/**
 * How long a challenge is valid, in ms. The time is long, because a player may have to find a security key or a phone.
 */
export const CHALLENGE_MS = 5 * 60_000

const CHALLENGE_BYTES = 32

/** Matches the cookie's content: a secret and the challenge's expiry in ms. */
const TOKEN = /^[\w-]{43}\.(\d{13})$/

/** Returns the relying party for the requested URL. Throws `PasskeysUnavailableError`. */
export function requireRelyingParty(ctx: Context): RelyingParty {
  const party = ctx.relyingParty()
  if (party === null) throw new PasskeysUnavailableError()
  return party
}

/**
 * Returns a challenge for a passkey login from this browser, as base64url. A cookie binds the challenge to the browser.
 * The challenge is computed from the cookie, so guests cannot use up storage.
 */
export function beginLoginChallenge({ app, cookies: { passkey } }: Context): string {
  if (passkey.writer === null) throw new NeedsHttpError()
  const token = `${newSecret()}.${app.platform.clock.now().getTime() + CHALLENGE_MS}`
  passkey.writer.set(token)
  return toLoginChallenge(app, token)
}

/** Returns a challenge for the logged-in player, as base64url, bound to the session. */
export async function beginChallenge(ctx: Context, userId: UserId, purpose: PasskeyPurpose): Promise<string> {
  if (ctx.cookies.session.token === null) throw new NotSignedInError()
  const { db, clock } = ctx.app.platform
  const holder = hashSecret(ctx.cookies.session.token)
  const challenge = randomBytes(CHALLENGE_BYTES)
  const expiresAt = new Date(clock.now().getTime() + CHALLENGE_MS)
  await putChallenge(db, { holder, purpose, userId, challenge, expiresAt })
  return challenge.toString('base64url')
}

/** A challenge that was issued for a login. */
export interface LoginChallenge {
  /** The challenge in base64url. */
  readonly challenge: string
  readonly expiresAt: Date
}

/** Takes this browser's login challenge and clears its cookie. Throws `PasskeyInvalidError` if there is none. */
export function takeLoginChallenge({ app, cookies: { passkey } }: Context): LoginChallenge {
  const { token, writer } = passkey
  if (writer === null) throw new NeedsHttpError()
  const expiresMs = Number(TOKEN.exec(token ?? '')?.[1])
  if (token === null || !(expiresMs > app.platform.clock.now().getTime())) throw new PasskeyInvalidError()
  writer.clear()
  return { challenge: toLoginChallenge(app, token), expiresAt: new Date(expiresMs) }
}

/** Marks a signed challenge as used on all nodes. Throws `PasskeyInvalidError` if it was already used. */
export async function spendLoginChallenge(tx: Tx, { challenge, expiresAt }: LoginChallenge): Promise<void> {
  if (!(await spendProof(tx, Buffer.from(challenge, 'base64url'), expiresAt))) throw new PasskeyInvalidError()
}

/** Computes a login challenge with a secret key. Clients therefore cannot compute the challenge for a forged cookie. */
function toLoginChallenge({ accounts: { passkeyLoginKey } }: AppPart<'passkeyLoginKey'>, token: string): string {
  return createHmac('sha256', passkeyLoginKey).update(token).digest('base64url')
}

/**
 * Takes the logged-in player's open challenge, as base64url. Throws `PasskeyInvalidError` if this browser has no
 * challenge.
 */
export async function endChallenge(ctx: Context, userId: UserId, purpose: PasskeyPurpose): Promise<string> {
  if (ctx.cookies.session.token === null) throw new NotSignedInError()
  const { db, clock } = ctx.app.platform
  const holder = hashSecret(ctx.cookies.session.token)
  const open = await takeChallenge(db, { holder, purpose, now: clock.now() })
  if (open?.userId !== userId) throw new PasskeyInvalidError()
  return open.challenge.toString('base64url')
}
