import { z } from 'zod'

/** Base64url text for at most `bytesMax` bytes. */
const base64Url = (bytesMax: number) => {
  const charsMax = Math.ceil((bytesMax * 4) / 3)
  return z
    .string()
    .min(1, 'is required')
    .max(charsMax, 'is too long')
    .regex(/^[\w-]*$/, 'must be base64url')
}

/** Max length of a credential id in bytes, as WebAuthn defines it. */
const CREDENTIAL_ID_BYTES_MAX = 1_023
const CLIENT_DATA_BYTES_MAX = 2_048
const AUTHENTICATOR_DATA_BYTES_MAX = 4_096
const SIGNATURE_BYTES_MAX = 1_024
const USER_HANDLE_BYTES_MAX = 64
const TRANSPORTS_MAX = 8

const transport = z
  .string()
  .max(32, 'is too long')
  // Accept any text as a transport. Later versions of WebAuthn have more names.
  .refine((name) => !name.includes('\0'), 'must be a transport of WebAuthn')

/** Properties that browsers send for registration and login, and that the server ignores. */
const rest = {
  rawId: base64Url(CREDENTIAL_ID_BYTES_MAX),
  type: z.literal('public-key', 'must be public-key'),
  authenticatorAttachment: z.string().max(32, 'is too long').nullish(),
  clientExtensionResults: z.record(z.string(), z.unknown()).optional(),
}

/** The result of `navigator.credentials.get` as JSON, as WebAuthn level 3 defines it. */
export const assertion = z
  .object({
    id: base64Url(CREDENTIAL_ID_BYTES_MAX),
    ...rest,
    response: z.object({
      clientDataJSON: base64Url(CLIENT_DATA_BYTES_MAX),
      authenticatorData: base64Url(AUTHENTICATOR_DATA_BYTES_MAX),
      signature: base64Url(SIGNATURE_BYTES_MAX),
      userHandle: base64Url(USER_HANDLE_BYTES_MAX).nullish(),
    }),
  })
  .describe('Result of navigator.credentials.get as JSON (WebAuthn level 3).')
  .meta({ id: 'PasskeyAssertion' })
export type Assertion = z.output<typeof assertion>

/** The result of `navigator.credentials.create` as JSON, as WebAuthn level 3 defines it. */
export const attestation = z
  .object({
    id: base64Url(CREDENTIAL_ID_BYTES_MAX),
    ...rest,
    response: z.object({
      clientDataJSON: base64Url(CLIENT_DATA_BYTES_MAX),
      attestationObject: base64Url(AUTHENTICATOR_DATA_BYTES_MAX),
      transports: z.array(transport).max(TRANSPORTS_MAX, 'has too many entries').optional(),
      // Fields that repeat parts of the attestation object.
      authenticatorData: base64Url(AUTHENTICATOR_DATA_BYTES_MAX).optional(),
      publicKey: base64Url(AUTHENTICATOR_DATA_BYTES_MAX).optional(),
      publicKeyAlgorithm: z.int('must be a whole number').optional(),
    }),
  })
  .describe('Result of navigator.credentials.create as JSON (WebAuthn level 3).')
  .meta({ id: 'PasskeyAttestation' })
export type Attestation = z.output<typeof attestation>

const userVerification = z.literal('required')

export const assertionOptions = z
  .object({
    challenge: z.string(),
    rpId: z.string(),
    timeout: z.int(),
    userVerification,
    allowCredentials: z
      .array(z.object({ id: z.string(), type: z.literal('public-key'), transports: z.array(z.string()).optional() }))
      .describe('Always an empty list, which allows any passkey for this site.'),
  })
  .describe('Options for navigator.credentials.get, as JSON (WebAuthn level 3).')
  .meta({ id: 'PasskeyLoginOptions' })
export type AssertionOptions = z.output<typeof assertionOptions>

export const attestationOptions = z
  .object({
    challenge: z.string(),
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
    timeout: z.int(),
    attestation: z.literal('none'),
    excludeCredentials: z.array(
      z.object({ id: z.string(), type: z.literal('public-key'), transports: z.array(z.string()).optional() }),
    ),
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.literal(true),
      userVerification,
    }),
  })
  .describe('Options for navigator.credentials.create, as JSON (WebAuthn level 3).')
  .meta({ id: 'PasskeyCreationOptions' })
export type AttestationOptions = z.output<typeof attestationOptions>

export const ASSERTION_OPTIONS = {
  challenge: 'Nq3h0sLxT2mVb8yRk5dJwE7cFa1gUoPzXi9tHnB4QvM',
  rpId: 'papermoon.example',
  timeout: 300_000,
  userVerification: 'required',
  allowCredentials: [],
}

export const CLIENT_DATA = 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiTnEzaDBzTHgifQ'

export const ASSERTION = {
  id: 'mT6yQw0eRk2pLs9dXc4vBn',
  rawId: 'mT6yQw0eRk2pLs9dXc4vBn',
  type: 'public-key',
  response: {
    clientDataJSON: CLIENT_DATA,
    authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
    signature: 'MEUCIQDxqW0hT9vYk2bE3uRm8sNf',
    userHandle: '1Yb0VZcA8w3qRk5tJm7uHs2xPd9fGe4nLa6iQoWvTzU',
  },
}
