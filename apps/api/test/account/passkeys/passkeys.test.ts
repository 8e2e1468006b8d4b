import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeFactors } from '../../../src/commands/admin/access.ts'
import { deleteOldRows } from '../../../src/delete-old-rows.ts'
import { toRelyingParty } from '../../../src/http/calls/call-context.ts'
import { Authenticator } from '../../support/factors/authenticator.ts'
import { addPasskey, confirmWithPasskey, LOCAL_ORIGIN } from '../../support/factors/passkeys.ts'
import { enableTotp } from '../../support/factors/second-factor.ts'
import { changeSettings } from '../../support/limited-accounts.ts'
import { createTestServer, errorsIn, registration, type Visitor } from '../../support/test-server.ts'

const MINUTE_MS = 60_000
const problem = { accept: 'application/problem+json' }

const server = await createTestServer({ hasJobs: false, env: { SHOW_RESET_CODES: 'on' } })
afterAll(async () => {
  expect(errorsIn(server)).toEqual([])
  await server.close()
})

function getCode(answer: LightMyRequestResponse): string {
  return answer.statusCode < 300 ? 'OK' : answer.json().code
}

const listPasskeys = async (player: Visitor) => (await player.get('/api/passkeys')).json()
const requestOptions = async (visitor: Visitor) => (await visitor.post('/api/auth/passkey/options', {})).json()
const send = (visitor: Visitor, credential: unknown) => visitor.post('/api/auth/passkey', { credential }, problem)

type Wrong = Parameters<Authenticator['get']>[1]

/** Signs in with a passkey from a fresh browser. Returns the response's code. */
async function tryLogin(authenticator: Authenticator, wrong?: Wrong): Promise<string> {
  const visitor = server.visitor()
  return getCode(await send(visitor, authenticator.get(await requestOptions(visitor), wrong)))
}

/** Adds a passkey after changing values in the browser's response. Returns the response's code. */
async function tryAdd(player: Visitor, wrong: Parameters<Authenticator['create']>[1], response = {}): Promise<string> {
  const options = (await player.post('/api/passkeys/options', {})).json()
  const made = new Authenticator(LOCAL_ORIGIN).create(options, wrong)
  const credential = { ...made, response: { ...made.response, ...response } }
  return getCode(await player.post('/api/passkeys', { name: 'x', credential }, problem))
}

describe('a passkey', () => {
  it('is added, listed, and signs its player in without an email', async () => {
    const player = await server.player('add')
    const authenticator = await addPasskey(player, 'my laptop')
    expect(await listPasskeys(player)).toMatchObject({
      origin: LOCAL_ORIGIN,
      passkeys: [{ name: 'my laptop', domain: 'localhost', isSynced: false, lastUsedAt: null }],
    })
    const visitor = server.visitor()
    const options = await requestOptions(visitor)
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required', allowCredentials: [] })
    expect((await send(visitor, authenticator.get(options))).json()).toEqual({ ok: true })
    expect((await visitor.get('/api/auth/user')).json().username).toBe('add')
    expect((await listPasskeys(player)).passkeys[0].lastUsedAt).not.toBeNull()
  })

  it('is requested as resident and with user verification, and does not reveal the player', async () => {
    const player = await server.player('options')
    const ask = async () => (await player.post('/api/passkeys/options', {})).json()
    const [first, second] = [await ask(), await ask()]
    expect(first.authenticatorSelection).toEqual({
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    })
    expect(first).toMatchObject({ attestation: 'none', rp: { id: 'localhost', name: 'Papermoon' } })
    expect(second.challenge).not.toBe(first.challenge)
    // The player's id must stay the same, because an authenticator stores one passkey per id.
    expect(second.user).toEqual({ id: first.user.id, name: 'options', displayName: 'options' })
    expect(Buffer.from(first.user.id, 'base64url')).toHaveLength(32)
    const authenticator = await addPasskey(player)
    await confirmWithPasskey(player, authenticator)
    const { excludeCredentials } = await ask()
    expect(excludeCredentials).toEqual([{ id: authenticator.id, type: 'public-key', transports: ['internal'] }])
  })

  it('also counts as the second factor', async () => {
    const player = await server.player('both-factors')
    const authenticator = await addPasskey(player)
    await confirmWithPasskey(player, authenticator)
    await enableTotp(server, player)
    expect(await tryLogin(authenticator)).toBe('OK')
  })

  it('survives a password reset, which ends the sessions that the passkey started', async () => {
    const player = await server.player('reset-key')
    const authenticator = await addPasskey(player)
    const visitor = server.visitor()
    await send(visitor, authenticator.get(await requestOptions(visitor)))
    const { email } = registration('reset-key')
    const { resetToken } = (await player.post('/api/auth/forgot-password', { email })).json()
    await player.post('/api/auth/reset-password', { token: resetToken, newPassword: 'another-1' })
    expect((await visitor.get('/api/auth/user')).statusCode).toBe(401)
    expect(await tryLogin(authenticator)).toBe('OK')
  })

  it('cannot sign in after it was removed', async () => {
    const player = await server.player('remove')
    const authenticator = await addPasskey(player)
    await confirmWithPasskey(player, authenticator)
    const [{ id }] = (await listPasskeys(player)).passkeys
    const stranger = await server.player('remover')
    expect((await stranger.raw('DELETE', `/api/passkeys/${id}`, '')).statusCode).toBe(404)
    expect((await player.raw('DELETE', `/api/passkeys/${id}`, '')).statusCode).toBe(200)
    expect((await listPasskeys(player)).passkeys).toEqual([])
    expect(await tryLogin(authenticator)).toBe('PASSKEY_INVALID')
    const kinds = await server.db.selectFrom('account_events').select('kind').orderBy('id').execute()
    expect(kinds.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['passkey_added', 'passkey_removed']))
  })

  it('cannot sign in to a frozen account', async () => {
    const authenticator = await addPasskey(await server.player('frozen-key'))
    await server.db.updateTable('users').set({ standing: 'frozen' }).where('username', '=', 'frozen-key').execute()
    expect(await tryLogin(authenticator)).toBe('ACCOUNT_FROZEN')
  })

  it('can be added only once, and a player can add at most twenty', async () => {
    const player = await server.player('many')
    const authenticator = await addPasskey(player)
    await confirmWithPasskey(player, authenticator)
    const options = (await player.post('/api/passkeys/options', {})).json()
    const again = await player.post('/api/passkeys', { name: 'x', credential: authenticator.create(options) }, problem)
    expect([again.statusCode, getCode(again)]).toEqual([409, 'PASSKEY_EXISTS'])
    for (let i = 1; i < 20; i++) await addPasskey(player)
    expect(getCode(await player.post('/api/passkeys/options', {}, problem))).toBe('TOO_MANY_PASSKEYS')
    expect((await listPasskeys(player)).passkeys).toHaveLength(20)
  })
})

describe('a login with a passkey is refused', () => {
  let authenticator: Authenticator
  beforeAll(async () => {
    authenticator = await addPasskey(await server.player('refused'))
  })

  it.each<[string, Wrong]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another port', { origin: 'http://localhost:8080' }],
    ['another domain', { rpId: 'evil.example' }],
    ['another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['an unverified player', { isVerified: false }],
    ['another player’s handle', { userHandle: Buffer.alloc(32).toString('base64url') }],
    ['a registration', { type: 'webauthn.create' }],
  ])('for %s', async (_what, wrong) => {
    expect(await tryLogin(authenticator, wrong)).toBe('PASSKEY_INVALID')
  })

  it('with a signature of another key', async () => {
    const visitor = server.visitor()
    const forged = new Authenticator(LOCAL_ORIGIN).get(await requestOptions(visitor))
    const answer = await send(visitor, { ...forged, id: authenticator.id, rawId: authenticator.id })
    expect([answer.statusCode, getCode(answer)]).toEqual([400, 'PASSKEY_INVALID'])
    expect((await visitor.get('/api/auth/user')).statusCode).toBe(401)
  })

  it('with an unknown passkey', async () => {
    expect(await tryLogin(new Authenticator(LOCAL_ORIGIN))).toBe('PASSKEY_INVALID')
  })

  it('if its counter went back, since the passkey was copied', async () => {
    expect(await tryLogin(authenticator, { counter: 50 })).toBe('OK')
    expect(await tryLogin(authenticator, { counter: 50 })).toBe('PASSKEY_INVALID')
    expect(await tryLogin(authenticator, { counter: 49 })).toBe('PASSKEY_INVALID')
    expect(await tryLogin(authenticator, { counter: 51 })).toBe('OK')
  })

  it('if its challenge was used before, with or without success', async () => {
    const visitor = server.visitor()
    const answer = authenticator.get(await requestOptions(visitor), { counter: 60 })
    expect(getCode(await send(visitor, answer))).toBe('OK')
    expect(getCode(await send(visitor, answer))).toBe('PASSKEY_INVALID')
    const other = server.visitor()
    const options = await requestOptions(other)
    expect(getCode(await send(other, authenticator.get(options, { isVerified: false })))).toBe('PASSKEY_INVALID')
    expect(getCode(await send(other, authenticator.get(options, { counter: 61 })))).toBe('PASSKEY_INVALID')
  })

  it('for all but one of many identical concurrent logins, even if the passkey has no counter', async () => {
    const synced = await addPasskey(await server.player('synced'))
    const visitor = server.visitor()
    const answer = synced.get(await requestOptions(visitor), { counter: 0 })
    const { cookies } = visitor
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => {
        const twin = server.visitor()
        for (const [name, value] of cookies) twin.cookies.set(name, value)
        return send(twin, answer)
      }),
    )
    expect(answers.map(getCode).filter((code) => code === 'OK')).toHaveLength(1)
  })

  it('from another browser than the one that requested the challenge', async () => {
    const options = await requestOptions(server.visitor())
    expect(getCode(await send(server.visitor(), authenticator.get(options, { counter: 80 })))).toBe('PASSKEY_INVALID')
    const asked = server.visitor()
    await requestOptions(asked)
    expect(getCode(await send(asked, authenticator.get(options, { counter: 81 })))).toBe('PASSKEY_INVALID')
  })

  it('after five minutes', async () => {
    const visitor = server.visitor()
    const options = await requestOptions(visitor)
    server.passTime(6 * MINUTE_MS)
    expect(getCode(await send(visitor, authenticator.get(options, { counter: 90 })))).toBe('PASSKEY_INVALID')
  })
})

describe('a new passkey is refused', () => {
  let player: Visitor
  beforeAll(async () => {
    player = await server.player('refused-add')
  })

  it.each<[string, Parameters<Authenticator['create']>[1]]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another domain', { rpId: 'evil.example' }],
    ['another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['an unverified player', { isVerified: false }],
    ['a login', { type: 'webauthn.get' }],
    ['an attestation with certificates', { format: 'packed', statement: new Map([['x5c', []]]) }],
    ['an attestation that nobody asked for', { format: 'android-safetynet' }],
    ['a statement without a format', { statement: new Map([['sig', 'x']]) }],
  ])('for %s', async (_what, wrong) => {
    expect(await tryAdd(player, wrong)).toBe('PASSKEY_INVALID')
    expect((await listPasskeys(player)).passkeys).toEqual([])
  })

  it('with transports that are not names', async () => {
    expect(await tryAdd(player, {}, { transports: ['usb\u0000'] })).toBe('BAD_INPUT')
  })

  it.each([
    ['no CBOR', 'AAAA'],
    ['arrays in arrays', Buffer.alloc(4_000, 0x81).toString('base64url')],
    ['a text that claims to be long', Buffer.from('7bffffffffffffffff', 'hex').toString('base64url')],
    ['nothing in it', Buffer.from('a0', 'hex').toString('base64url')],
  ])('with %s for an attestation', async (_what, attestationObject) => {
    expect(await tryAdd(player, {}, { attestationObject })).toBe('PASSKEY_INVALID')
  })

  it('with a challenge of another player or of a login', async () => {
    const other = await server.player('other-challenge')
    const options = (await other.post('/api/passkeys/options', {})).json()
    await player.post('/api/passkeys/options', {})
    const credential = new Authenticator(LOCAL_ORIGIN).create(options)
    expect(getCode(await player.post('/api/passkeys', { name: 'x', credential }, problem))).toBe('PASSKEY_INVALID')
    const { challenge } = await requestOptions(player)
    expect(await tryAdd(player, { challenge })).toBe('PASSKEY_INVALID')
  })

  it('as a proof of identity with another player’s passkey', async () => {
    const [owner, thief] = [await server.player('owner'), await server.player('thief')]
    const [own, stolen] = [await addPasskey(thief), await addPasskey(owner)]
    const options = (await thief.post('/api/account/confirm/passkey', {})).json()
    const answer = await thief.post('/api/account/confirm', { passkey: stolen.get(options) }, problem)
    expect(getCode(answer)).toBe('PASSKEY_INVALID')
    // The failed try used up the challenge.
    expect(getCode(await thief.post('/api/account/confirm', { passkey: own.get(options) }, problem))).toBe(
      'PASSKEY_INVALID',
    )
    const keyless = await server.player('keyless')
    expect(getCode(await keyless.post('/api/account/confirm/passkey', {}, problem))).toBe('PASSKEY_INVALID')
  })
})

describe('where passkeys work', () => {
  async function readOrigin(publicUrl: string | null, headers: Record<string, string> = {}): Promise<string | null> {
    changeSettings(server, { publicUrl })
    const list = (await (await server.player()).get('/api/passkeys', headers)).json()
    const begun = await server.visitor().post('/api/auth/passkey/options', {}, { ...problem, ...headers })
    expect([list.origin, getCode(begun)]).toEqual([list.origin, list.origin === null ? 'PASSKEYS_UNAVAILABLE' : 'OK'])
    return list.origin
  }

  it('is at PUBLIC_URL over https, and at localhost', async () => {
    expect(await readOrigin('https://papermoon.example')).toBe('https://papermoon.example')
    expect(await readOrigin('http://localhost:3000')).toBe('http://localhost:3000')
    expect(await readOrigin(null, { host: 'localhost:3000' })).toBe('http://localhost:3000')
  })

  it('is neither plain http elsewhere, nor a host that only the Host header names', async () => {
    expect(await readOrigin('http://papermoon.example')).toBeNull()
    expect(await readOrigin(null, { host: 'papermoon.example' })).toBeNull()
  })

  // Browsers support passkeys at these URLs. The rows are the URL, the passkeys' domain and the origin.
  it.each([
    ['https://papermoon.example:8443', 'papermoon.example', 'https://papermoon.example:8443'],
    ['https://moon.papermoon.example:443', 'moon.papermoon.example', 'https://moon.papermoon.example'],
    ['http://localhost:80', 'localhost', 'http://localhost'],
    ['http://moon.localhost:3000', 'moon.localhost', 'http://moon.localhost:3000'],
  ])('has at %s the id %s and the origin %s', (address, id, origin) => {
    expect(toRelyingParty(address)).toEqual({ id, origin })
  })

  it.each([
    ...['http://127.0.0.1:3000', 'http://[::1]:3000', 'https://192.168.1.2', 'https://[2001:db8::1]'],
    'http://localhost.evil.example',
  ])('is not at %s', (address) => {
    expect(toRelyingParty(address)).toBeNull()
  })
})

describe('passkey challenges', () => {
  it('of guests are not stored; each player has at most one, and expired ones are swept', async () => {
    const count = async () => (await server.db.selectFrom('passkey_challenges').select('holder').execute()).length
    const player = await server.player('asks-often')
    const before = await count()
    for (let i = 0; i < 5; i++) await requestOptions(server.visitor())
    expect(await count()).toBe(before)
    for (let i = 0; i < 5; i++) await player.post('/api/passkeys/options', {})
    expect(await count()).toBe(before + 1)
    server.passTime(6 * MINUTE_MS)
    await deleteOldRows(server.db, server.app.platform.clock.now())
    expect(await count()).toBe(0)
  })
})

describe('an operator', () => {
  const removedFrom = (user: string) => removeFactors(server.database, user)

  it('can remove all factors of a player who lost them, and the password stays', async () => {
    const player = await server.player('lost-all')
    const authenticator = await addPasskey(player)
    await confirmWithPasskey(player, authenticator)
    const { recoveryCodes } = await enableTotp(server, player)
    expect(await removedFrom('lost-all')).toMatch(
      /^Player \d+ \(lost-all, .+\) now logs in with the password alone\. Removed: the authenticator app and 1 passkey\.$/,
    )
    expect(await tryLogin(authenticator)).toBe('PASSKEY_INVALID')
    const { email, password } = registration('lost-all')
    const withCode = await server.visitor().post('/api/auth/login', { email, password, totp: recoveryCodes[0] })
    expect(withCode.json()).toEqual({ ok: true })
    const wrong = await server.visitor().post('/api/auth/login', { email, password: 'wrong-1' })
    expect(wrong.statusCode).toBe(401)
    expect(await removedFrom('lost-all')).toMatch(/had no second factor\.$/)
    const rows = await server.db
      .selectFrom('account_events')
      .innerJoin('users', 'users.id', 'account_events.user_id')
      .select(['account_events.kind', 'detail'])
      .where('username', '=', 'lost-all')
      .orderBy('account_events.id')
      .execute()
    const byOperator = rows.filter(({ detail }) => detail.by === 'operator').map(({ kind }) => kind)
    expect(byOperator).toEqual(['totp_disabled', 'passkey_removed'])
  })
})
