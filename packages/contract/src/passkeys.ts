import { z } from 'zod'
import { DONE, LAUNCHED_AT } from './example-market.ts'
import { positiveId } from './ids.ts'
import { mutation, query } from './procedure.ts'
import { ok } from './shapes.ts'
import { text } from './text.ts'
import { ASSERTION, ASSERTION_OPTIONS, attestation, attestationOptions, CLIENT_DATA } from './webauthn.ts'

const NAME_MAX = 40

export const passkeyId = positiveId.brand<'PasskeyId'>()
export type PasskeyId = z.output<typeof passkeyId>

export const passkey = z
  .object({
    id: passkeyId,
    name: z.string(),
    domain: z.string().describe('Domain for which the passkey was created. The passkey works only for this domain.'),
    isSynced: z.boolean().describe('Whether the passkey may be on several devices.'),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable().describe('Time of the last use, or null if never used.'),
  })
  .meta({ id: 'Passkey' })
export type Passkey = z.output<typeof passkey>

export const passkeyList = z
  .object({
    origin: z
      .string()
      .nullable()
      .describe('Origin where passkeys can be added and used, or null if this server does not support passkeys.'),
    passkeys: z.array(passkey).describe('Passkeys, newest first.'),
  })
  .meta({ id: 'PasskeyList' })
export type PasskeyList = z.output<typeof passkeyList>

export const addPasskeyInput = z.object({ name: text('name of the passkey', NAME_MAX), credential: attestation })
export type AddPasskeyInput = z.output<typeof addPasskeyInput>

export type Removed = z.output<typeof ok>

const PASSKEY = {
  id: 4,
  name: 'my phone',
  domain: 'papermoon.example',
  isSynced: true,
  createdAt: LAUNCHED_AT,
  lastUsedAt: null,
}

export const passkeysProcedures = {
  list: query({
    apiKey: 'never',
    output: passkeyList,
    rest: 'GET /api/passkeys',
    operationId: 'listPasskeys',
    summary: 'Lists your passkeys, and returns the origin where passkeys can be added and used.',
    example: { response: { origin: 'https://papermoon.example', passkeys: [PASSKEY] } },
  }),
  beginAdd: mutation({
    whenSuspended: 'allowed',
    limit: 'sign-in',
    output: attestationOptions,
    rest: 'POST /api/passkeys/options',
    operationId: 'beginPasskey',
    summary: 'Returns the options to create a passkey. The options work once, for five minutes, in this session.',
    errors: ['CONFIRMATION_NEEDED', 'PASSKEYS_UNAVAILABLE', 'TOO_MANY_PASSKEYS'],
    example: {
      response: {
        challenge: ASSERTION_OPTIONS.challenge,
        rp: { id: 'papermoon.example', name: 'Papermoon' },
        user: { id: '1Yb0VZcA8w3qRk5tJm7uHs2xPd9fGe4nLa6iQoWvTzU', name: 'luna', displayName: 'luna' },
        pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
        timeout: 300_000,
        attestation: 'none',
        excludeCredentials: [],
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      },
    },
  }),
  add: mutation({
    whenSuspended: 'allowed',
    limit: 'sign-in',
    input: addPasskeyInput,
    output: passkey,
    rest: 'POST /api/passkeys',
    operationId: 'addPasskey',
    status: 201,
    summary: 'Adds the passkey that the browser created. A player can have at most 20 passkeys.',
    errors: ['CONFIRMATION_NEEDED', 'PASSKEY_INVALID', 'PASSKEYS_UNAVAILABLE', 'PASSKEY_EXISTS', 'TOO_MANY_PASSKEYS'],
    example: {
      input: {
        name: 'my phone',
        credential: {
          id: ASSERTION.id,
          rawId: ASSERTION.rawId,
          type: 'public-key',
          response: { clientDataJSON: CLIENT_DATA, attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YQ' },
        },
      },
      response: PASSKEY,
    },
  }),
  remove: mutation({
    whenSuspended: 'allowed',
    limit: 'sign-in',
    input: z.object({ id: passkeyId }),
    output: ok,
    rest: 'DELETE /api/passkeys/{id}',
    operationId: 'removePasskey',
    summary: 'Removes a passkey. You can no longer log in with this passkey.',
    errors: ['CONFIRMATION_NEEDED', 'SECOND_FACTOR_OFF', 'NOT_FOUND'],
    example: { input: { id: 4 }, response: DONE },
  }),
}
