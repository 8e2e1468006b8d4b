import type { Attestation } from '@papermoon/contract/webauthn'
import type { VerifiedRegistrationResponse } from '@simplewebauthn/server'
import type { AppPart, RelyingParty } from '../../../context.ts'
import { ALGORITHMS } from './algorithms.ts'
import { PasskeyInvalidError } from './errors.ts'
import type { NewPasskey } from './store.ts'

interface RegistrationAttempt {
  /** base64url; already consumed, so it cannot be used again. */
  readonly challenge: string
  readonly credential: Attestation
  readonly party: RelyingParty
}

type NewCredential = Pick<NewPasskey, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'isSynced'>

/** Verifies the public key that a browser created for a challenge. Throws `PasskeyInvalidError`. */
export async function verifyAttestation(
  { platform: { log } }: AppPart<'log'>,
  attempt: RegistrationAttempt,
): Promise<NewCredential> {
  const { transports = [] } = attempt.credential.response
  try {
    const { verified, registrationInfo } = await verify(attempt)
    if (!verified) throw new Error('the signature does not fit')
    const { credential, credentialDeviceType } = registrationInfo
    return {
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports,
      isSynced: credentialDeviceType === 'multiDevice',
    }
  } catch (error) {
    // The library throws for any invalid input, so this is no error of the server.
    log.debug({ err: error }, 'a new passkey was refused')
    throw new PasskeyInvalidError()
  }
}

async function verify({ challenge, credential, party }: RegistrationAttempt): Promise<VerifiedRegistrationResponse> {
  const { clientDataJSON, attestationObject } = credential.response
  // Loaded on first use: the library is an eighth of all modules.
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  await assertNoCertificates(attestationObject)
  return await verifyRegistrationResponse({
    response: {
      id: credential.id,
      rawId: credential.rawId,
      type: credential.type,
      response: { clientDataJSON, attestationObject },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: [...ALGORITHMS],
  })
}

/**
 * The options request no attestation, so a browser sends none or a self-signed one. Any other format has certificates,
 * and checking them fetches URLs inside them: the server must not fetch for a client.
 */
async function assertNoCertificates(attestationObject: string): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
  const format = decoded.get('fmt')
  if (format === 'none') return
  if (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined) return
  throw new Error(`an attestation of the format ${format} was not asked for`)
}
