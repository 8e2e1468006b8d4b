import type { AssertionOptions } from '@papermoon/contract/webauthn'
import type { UserId } from '@papermoon/engine'
import type { Context } from '../../../context.ts'
import { beginChallenge, requireRelyingParty } from '../passkeys/challenge.ts'
import { PasskeyInvalidError } from '../passkeys/errors.ts'
import { findCredentials } from '../passkeys/store.ts'
import { toAssertionOptions } from '../passkeys/verify-passkey.ts'

/**
 * The options for a browser to prove with a passkey that the player is present. Throws `PasskeysUnavailableError`, and
 * `PasskeyInvalidError` where the player has none for this site.
 */
export async function beginPasskeyConfirm(ctx: Context, userId: UserId): Promise<AssertionOptions> {
  const party = requireRelyingParty(ctx)
  const credentials = await findCredentials(ctx.app.platform.db, userId, party.id)
  if (credentials.length === 0) throw new PasskeyInvalidError()
  return toAssertionOptions(await beginChallenge(ctx, userId, 'confirm'), party, credentials)
}
