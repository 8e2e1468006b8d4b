import { randomBytes } from 'node:crypto'
import type { AttestationOptions } from '@papermoon/contract/webauthn'
import type { UserId } from '@papermoon/engine'
import { countOwn } from '../../../accounts/own-rows.ts'
import { requireRecentProof } from '../../../accounts/step-up.ts'
import type { Context } from '../../../context.ts'
import { ALGORITHMS } from './algorithms.ts'
import { beginChallenge, CHALLENGE_MS, requireRelyingParty } from './challenge.ts'
import { PASSKEYS_MAX, TooManyPasskeysError } from './errors.ts'
import { findCredentials, findOrKeepHandle, findUsername } from './store.ts'

const HANDLE_BYTES = 32

/**
 * The options for a browser to create a passkey of this player. Throws `ConfirmationNeededError`,
 * `PasskeysUnavailableError` and `TooManyPasskeysError`.
 */
export async function beginAddPasskey(ctx: Context, userId: UserId): Promise<AttestationOptions> {
  const party = requireRelyingParty(ctx)
  await requireRecentProof(ctx)
  const { db } = ctx.app.platform
  if ((await countOwn(db, 'passkeys', userId)) >= PASSKEYS_MAX) throw new TooManyPasskeysError()
  const username = await findUsername(db, userId)
  const handle = await findOrKeepHandle(db, userId, randomBytes(HANDLE_BYTES))
  const credentials = await findCredentials(db, userId, party.id)
  return {
    challenge: await beginChallenge(ctx, userId, 'add'),
    rp: { id: party.id, name: 'Papermoon' },
    user: { id: handle.toString('base64url'), name: username, displayName: username },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
    timeout: CHALLENGE_MS,
    // The make of the authenticator is the player's business.
    attestation: 'none',
    excludeCredentials: credentials.map(({ credentialId, transports }) => ({
      id: credentialId.toString('base64url'),
      type: 'public-key',
      transports,
    })),
    // A discoverable credential, so that nobody has to type an e-mail; user verification is a finger, a face or a
    // PIN.
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  }
}
