import type { Assertion, AssertionOptions } from '@papermoon/contract/webauthn'
import type { Tx } from '@papermoon/db'
import type { VerifiedAuthenticationResponse } from '@simplewebauthn/server'
import type { AppPart, RelyingParty } from '../../../context.ts'
import { CHALLENGE_MS, PasskeyInvalidError } from './challenge.ts'
import { findPasskey, markPasskeyUsed, type StoredPasskey } from './store.ts'

type Parts = AppPart<'db' | 'log' | 'clock'>

interface SignedChallenge {
  /** The challenge in base64url. The challenge is already used up, so nobody can use it again. */
  readonly challenge: string
  readonly assertion: Assertion
  readonly party: RelyingParty
}

/** A passkey whose signature was verified. */
export interface ProvenPasskey extends StoredPasskey {
  readonly newCounter: number
  readonly isSyncedNow: boolean
}

/** Returns options for the browser. Without credentials, the browser may use any passkey for this site. */
export function toAssertionOptions(
  challenge: string,
  party: RelyingParty,
  credentials: readonly { readonly credentialId: Buffer; readonly transports: string[] }[] = [],
): AssertionOptions {
  const allowCredentials = credentials.map(({ credentialId, transports }) => ({
    id: credentialId.toString('base64url'),
    type: 'public-key' as const,
    transports,
  }))
  return { challenge, rpId: party.id, timeout: CHALLENGE_MS, userVerification: 'required', allowCredentials }
}

/**
 * Verifies a signed challenge, including user verification (finger, face or PIN). Returns the passkey; `spendPasskey`
 * records its use. Throws `PasskeyInvalidError`.
 */
export async function verifyPasskey(
  app: Parts,
  { challenge, assertion, party }: SignedChallenge,
): Promise<ProvenPasskey> {
  const passkey = await findPasskey(app.platform.db, Buffer.from(assertion.id, 'base64url'))
  if (passkey === undefined || passkey.rpId !== party.id || !isOwn(passkey, assertion)) throw new PasskeyInvalidError()
  const { verified, authenticationInfo } = await verify(app, { challenge, assertion, party }, passkey)
  if (!verified) throw new PasskeyInvalidError()
  const { newCounter, credentialDeviceType } = authenticationInfo
  return { ...passkey, newCounter, isSyncedNow: credentialDeviceType === 'multiDevice' }
}

/** Records the use of a verified passkey. Throws `PasskeyInvalidError` if it was removed or used meanwhile. */
export async function spendPasskey(tx: Tx, { platform: { clock } }: Parts, passkey: ProvenPasskey): Promise<void> {
  const { id, counter, newCounter, isSyncedNow: isSynced } = passkey
  const isUsed = await markPasskeyUsed(tx, { id, counter, newCounter, isSynced, now: clock.now() })
  if (!isUsed) throw new PasskeyInvalidError()
}

/** Returns whether the user handle, if the authenticator sent one, belongs to the passkey's owner. */
function isOwn({ handle }: StoredPasskey, { response: { userHandle } }: Assertion): boolean {
  return userHandle == null || Buffer.from(userHandle, 'base64url').equals(handle)
}

async function verify(
  { platform: { log } }: Parts,
  { challenge, assertion, party }: SignedChallenge,
  { credentialId, publicKey, counter }: StoredPasskey,
): Promise<VerifiedAuthenticationResponse> {
  const { clientDataJSON, authenticatorData, signature } = assertion.response
  // Load the library on first use, because it makes up an eighth of all loaded modules.
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  try {
    return await verifyAuthenticationResponse({
      response: {
        id: assertion.id,
        rawId: assertion.rawId,
        type: assertion.type,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: { id: credentialId.toString('base64url'), publicKey: new Uint8Array(publicKey), counter },
      requireUserVerification: true,
    })
  } catch (error) {
    // Log at debug level only, because the library throws for every mismatch, and clients can cause any number of these
    // errors.
    log.debug({ err: error }, 'a passkey was refused')
    throw new PasskeyInvalidError()
  }
}
