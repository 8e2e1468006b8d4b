import type { Context } from '../../context.ts'
import { beginLoginChallenge, requireRelyingParty } from '../../security/passkeys/challenge.ts'
import type { AssertionOptions } from '../../security/passkeys/schemas.ts'
import { toAssertionOptions } from '../../security/passkeys/verify-passkey.ts'

/**
 * What a browser needs to sign in with a passkey: any that it has for this site, so nobody has to say who they are first.
 * Throws `PasskeysUnavailableError`.
 */
export function beginPasskeyLogin(ctx: Context): AssertionOptions {
  const party = requireRelyingParty(ctx)
  return toAssertionOptions(beginLoginChallenge(ctx), party)
}
