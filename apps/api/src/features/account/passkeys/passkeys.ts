import { randomBytes } from 'node:crypto'
import type { AddPasskeyInput, Passkey, PasskeyId, PasskeyList, Removed } from '@papermoon/contract/passkeys'
import type { Attestation, AttestationOptions } from '@papermoon/contract/webauthn'
import type { UserId } from '@papermoon/engine'
import type { VerifiedRegistrationResponse } from '@simplewebauthn/server'
import type { AppPart, Context, RelyingParty } from '../../../context.ts'
import { NotFoundError } from '../../../errors.ts'
import { changeFactors } from '../factors/authenticator-app.ts'
import { requireFactorProof } from '../step-up.ts'
import { countOwn, findUsername } from '../store.ts'
import {
  beginChallenge,
  CHALLENGE_MS,
  endChallenge,
  PASSKEYS_MAX,
  PasskeyExistsError,
  PasskeyInvalidError,
  requireRelyingParty,
  TooManyPasskeysError,
} from './challenge.ts'
import {
  deletePasskey,
  findCredentials,
  findOrKeepHandle,
  findPasskeys,
  insertPasskey,
  type NewPasskey,
} from './store.ts'

/**
 * COSE ids of the signature algorithms EdDSA, ES256 and RS256, the best one first. Every authenticator supports at
 * least one of these algorithms.
 */
const ALGORITHMS: readonly number[] = [-8, -7, -257]
const HANDLE_BYTES = 32

/**
 * Adds a passkey that a browser created. Throws `ConfirmationNeededError`, `PasskeyInvalidError`,
 * `PasskeysUnavailableError`, `PasskeyExistsError` and `TooManyPasskeysError`.
 */
export async function addPasskey(ctx: Context, userId: UserId, input: AddPasskeyInput): Promise<Passkey> {
  const party = requireRelyingParty(ctx)
  await requireFactorProof(ctx)
  const { app } = ctx
  const { name, credential } = input
  const challenge = await endChallenge(ctx, userId, 'add')
  const made = await verifyAttestation(app, { challenge, credential, party })
  const now = app.platform.clock.now()
  const id = await changeFactors(ctx, userId, async (tx, record) => {
    if ((await countOwn(tx, 'passkeys', userId)) >= PASSKEYS_MAX) throw new TooManyPasskeysError()
    const added = await insertPasskey(tx, { ...made, user_id: userId, rp_id: party.id, name, created_at: now })
    if (added === null) throw new PasskeyExistsError()
    await record('passkey_added', { name })
    return added
  })
  return { id, name, domain: party.id, isSynced: made.is_synced, createdAt: now.toISOString(), lastUsedAt: null }
}

interface RegistrationAttempt {
  /** The challenge in base64url. The challenge is already used up, so nobody can use it again. */
  readonly challenge: string
  readonly credential: Attestation
  readonly party: RelyingParty
}

type NewCredential = Pick<NewPasskey, 'credential_id' | 'public_key' | 'counter' | 'transports' | 'is_synced'>

/** Verifies the public key that a browser created for a challenge. Throws `PasskeyInvalidError`. */
async function verifyAttestation(
  { platform: { log } }: AppPart<'log'>,
  attempt: RegistrationAttempt,
): Promise<NewCredential> {
  const { transports = [] } = attempt.credential.response
  try {
    const { verified, registrationInfo } = await verify(attempt)
    if (!verified) throw new Error('the signature does not fit')
    const { credential, credentialDeviceType } = registrationInfo
    return {
      credential_id: Buffer.from(credential.id, 'base64url'),
      public_key: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports,
      is_synced: credentialDeviceType === 'multiDevice',
    }
  } catch (error) {
    // This is not a server error, because the library throws for any invalid input.
    log.debug({ err: error }, 'a new passkey was refused')
    throw new PasskeyInvalidError()
  }
}

async function verify({ challenge, credential, party }: RegistrationAttempt): Promise<VerifiedRegistrationResponse> {
  const { clientDataJSON, attestationObject } = credential.response
  // Load the library on first use, because it makes up an eighth of all loaded modules.
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
 * Throws an error if the attestation has certificates, because the server would have to fetch URLs that the client
 * chose to check them. The options request no attestation, so browsers send none or a self-signed one.
 */
async function assertNoCertificates(attestationObject: string): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
  const format = decoded.get('fmt')
  if (format === 'none') return
  if (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined) return
  throw new Error(`an attestation of the format ${format} was not requested`)
}

/**
 * Returns the options with which a browser creates a passkey for this player. Throws `ConfirmationNeededError`,
 * `PasskeysUnavailableError` and `TooManyPasskeysError`.
 */
export async function beginAddPasskey(ctx: Context, userId: UserId): Promise<AttestationOptions> {
  const party = requireRelyingParty(ctx)
  await requireFactorProof(ctx)
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
    // Request no attestation, because the server does not need to know the authenticator's model.
    attestation: 'none',
    excludeCredentials: credentials.map(({ credentialId, transports }) => ({
      id: credentialId.toString('base64url'),
      type: 'public-key',
      transports,
    })),
    // Require a discoverable credential, so that players need not type an email address. Also require user verification
    // by finger, face or PIN.
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  }
}

/** Lists a player's passkeys and the origin at which they work. */
export async function listPasskeys(ctx: Context, userId: UserId): Promise<PasskeyList> {
  const rows = await findPasskeys(ctx.app.platform.db, userId)
  const passkeys = rows.map(({ id, name, rp_id, is_synced, created_at, last_used_at }) => ({
    id: id as PasskeyId,
    name,
    domain: rp_id,
    isSynced: is_synced,
    createdAt: created_at.toISOString(),
    lastUsedAt: last_used_at?.toISOString() ?? null,
  }))
  return { origin: ctx.relyingParty()?.origin ?? null, passkeys }
}

/**
 * Removes a player's passkey. Throws `ConfirmationNeededError`, `FactorMissingError`, and `NotFoundError` for another
 * player's passkey.
 */
export async function removePasskey(ctx: Context, userId: UserId, id: PasskeyId): Promise<Removed> {
  await changeFactors(ctx, userId, async (tx, record) => {
    const name = await deletePasskey(tx, userId, id)
    if (name === null) throw new NotFoundError('You have no such passkey.')
    await record('passkey_removed', { name })
  })
  return { ok: true }
}
