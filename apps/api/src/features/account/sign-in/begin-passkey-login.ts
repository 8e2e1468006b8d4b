import type { AssertionOptions } from '@papermoon/contract/webauthn'
import type { Context } from '../../../context.ts'
import { beginLoginChallenge, requireRelyingParty } from '../passkeys/challenge.ts'
import { toAssertionOptions } from '../passkeys/verify-passkey.ts'

/**
 * The options for a browser to sign in with any passkey it has for this site; no username is asked first. Throws
 * `PasskeysUnavailableError`.
 */
export function beginPasskeyLogin(ctx: Context): AssertionOptions {
  const party = requireRelyingParty(ctx)
  return toAssertionOptions(beginLoginChallenge(ctx), party)
}
