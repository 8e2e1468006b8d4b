import type { Done, PasskeyLoginInput } from '@papermoon/contract/auth'
import type { AssertionOptions } from '@papermoon/contract/webauthn'
import type { Context } from '../../../context.ts'
import { mailAccountChange } from '../email/account-mail.ts'
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
import { beginSession, findTrustedBrowser, requireCookie, setSessionCookie } from './begin-session.ts'

/**
 * Logs a player in with a passkey. A passkey replaces both password and second factor, because it proves the device and
 * checks the person. Throws `PasskeyInvalidError` and `PasskeysUnavailableError`.
 */
export async function loginWithPasskey(ctx: Context, { credential }: PasskeyLoginInput): Promise<Done> {
  requireCookie(ctx, 'session')
  const { app } = ctx
  const party = requireRelyingParty(ctx)
  const asked = takeLoginChallenge(ctx)
  const passkey = await verifyPasskey(app, { challenge: asked.challenge, assertion: credential, party })
  const { session, passwordHash } = await app.platform.db.transaction().execute(async (tx) => {
    // Lock the player's row, so that a concurrent password reset waits, and then ends this session, too.
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
