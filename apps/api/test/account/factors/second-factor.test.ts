import type { LightMyRequestResponse } from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import { deleteOldRows } from '../../../src/delete-old-rows.ts'
import { spendFactorProof } from '../../../src/features/account/factors/second-factor.ts'
import { Authenticator } from '../../support/factors/authenticator.ts'
import { addPasskey, confirmWithPasskey, LOCAL_ORIGIN } from '../../support/factors/passkeys.ts'
import { AuthenticatorApp, confirmWithCode, enableTotp } from '../../support/factors/second-factor.ts'
import { createTestServer, errorsIn, registration, type Visitor } from '../../support/test-server.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const server = await createTestServer({ env: { SHOW_RESET_CODES: 'on' } })
afterAll(async () => {
  expect(errorsIn(server)).toEqual([])
  await server.close()
})

const problem = { accept: 'application/problem+json' }

function login(visitor: Visitor, username: string, totp?: string, password = 'secret-1') {
  const { email } = registration(username)
  return visitor.post('/api/auth/login', { email, password, ...(totp !== undefined && { totp }) }, problem)
}

function getCode(answer: LightMyRequestResponse): string {
  return answer.statusCode < 300 ? 'OK' : answer.json().code
}

async function tryLogin(username: string, totp?: string, password?: string): Promise<string> {
  return getCode(await login(server.visitor(), username, totp, password))
}

async function listEvents(username: string): Promise<string[]> {
  const rows = await server.db
    .selectFrom('account_events')
    .innerJoin('users', 'users.id', 'account_events.user_id')
    .select('account_events.kind')
    .where('username', '=', username)
    .orderBy('account_events.id')
    .execute()
  return rows.map(({ kind }) => kind)
}

const readStatus = async (player: Visitor) => (await player.get('/api/account/second-factor')).json()

describe('setting up an authenticator app', () => {
  it('is complete only after one of the app’s codes, and logins need no code before', async () => {
    const player = await server.player('setup')
    expect(await readStatus(player)).toEqual({ isOn: false, enabledAt: null, recoveryCodesLeft: 0 })
    const { secret, uri } = (await player.post('/api/account/second-factor/setup', {})).json()
    expect(uri).toContain(secret)
    expect(await tryLogin('setup')).toBe('OK')
    const app = new AuthenticatorApp(server, secret)
    const wrong = await player.post('/api/account/second-factor/enable', { code: app.wrongCode() }, problem)
    expect([wrong.statusCode, getCode(wrong)]).toEqual([403, 'WRONG_CODE'])
    expect(await tryLogin('setup')).toBe('OK')
    const code = app.code()
    const enabled = await player.post('/api/account/second-factor/enable', {
      code: ` ${code.slice(0, 3)} ${code.slice(3)}`,
    })
    expect(enabled.json().recoveryCodes).toHaveLength(10)
    expect(await readStatus(player)).toMatchObject({ isOn: true, recoveryCodesLeft: 10 })
    expect(await tryLogin('setup')).toBe('SECOND_FACTOR_NEEDED')
    // The code that confirmed the setup cannot be used again.
    expect(await tryLogin('setup', code)).toBe('SECOND_FACTOR_INVALID')
    expect(await listEvents('setup')).toContain('totp_enabled')
  })

  it('can be started again, which invalidates the previous secret', async () => {
    const player = await server.player('setup-twice')
    const [first, second] = [
      (await player.post('/api/account/second-factor/setup', {})).json(),
      (await player.post('/api/account/second-factor/setup', {})).json(),
    ]
    const enable = (secret: string) =>
      player.post('/api/account/second-factor/enable', { code: new AuthenticatorApp(server, secret).code() }, problem)
    expect(getCode(await enable(first.secret))).toBe('WRONG_CODE')
    expect(getCode(await enable(second.secret))).toBe('OK')
    server.passTime(31_000)
    await confirmWithCode(server, player, new AuthenticatorApp(server, second.secret))
    expect(getCode(await enable(second.secret))).toBe('SECOND_FACTOR_ON')
    expect(getCode(await player.post('/api/account/second-factor/setup', {}, problem))).toBe('SECOND_FACTOR_ON')
  })

  it('expires after 15 minutes', async () => {
    const player = await server.player('setup-late')
    const { secret } = (await player.post('/api/account/second-factor/setup', {})).json()
    server.passTime(16 * MINUTE_MS)
    await player.post('/api/account/confirm', { password: 'secret-1' })
    const app = new AuthenticatorApp(server, secret)
    const answer = await player.post('/api/account/second-factor/enable', { code: app.code() }, problem)
    expect([answer.statusCode, getCode(answer)]).toEqual([409, 'SETUP_EXPIRED'])
    expect(await tryLogin('setup-late')).toBe('OK')
  })

  it('accepts only one of several confirmations at once', async () => {
    const player = await server.player('setup-race')
    const { secret } = (await player.post('/api/account/second-factor/setup', {})).json()
    const code = new AuthenticatorApp(server, secret).code()
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => player.post('/api/account/second-factor/enable', { code }, problem)),
    )
    const codes = answers.map(getCode)
    expect(codes.filter((one) => one === 'OK')).toHaveLength(1)
    const shown = answers.find(({ statusCode }) => statusCode === 200)?.json().recoveryCodes
    expect(await tryLogin('setup-race', shown[0])).toBe('OK')
  })

  it('stores the secret encrypted', async () => {
    const player = await server.player('sealed')
    const { secret } = (await player.post('/api/account/second-factor/setup', {})).json()
    const rows = await server.db.selectFrom('totp_secrets').select('sealed').execute()
    for (const { sealed } of rows) {
      expect(sealed.includes(Buffer.from(secret))).toBe(false)
      expect(sealed.length).toBeGreaterThan(20 + 16)
    }
  })
})

describe('an account with a second factor', () => {
  const key = {
    challenge: 'a'.repeat(43),
    rp: { id: 'localhost', name: '' },
    user: { id: 'YQ', name: '', displayName: '' },
  }
  const acts: Readonly<Record<string, (of: Visitor) => Promise<LightMyRequestResponse>>> = {
    'begin an app': (of) => of.post('/api/account/second-factor/setup', {}, problem),
    'switch an app on': (of) => of.post('/api/account/second-factor/enable', { code: '000000' }, problem),
    'switch the app off': (of) => of.post('/api/account/second-factor/disable', {}, problem),
    'replace the recovery codes': (of) => of.post('/api/account/recovery-codes', {}, problem),
    'begin a passkey': (of) => of.post('/api/passkeys/options', {}, problem),
    'add a passkey': (of) => {
      const credential = new Authenticator(LOCAL_ORIGIN).create(key as never)
      return of.post('/api/passkeys', { name: 'x', credential }, problem)
    },
    'remove a passkey': (of) => of.raw('DELETE', '/api/passkeys/1', '', problem),
  }
  interface Owner {
    readonly name: string
    readonly player: Visitor
    readonly recoveryCodes: readonly string[]
    readonly getCode: () => string | undefined
    readonly confirm: (session: Visitor) => Promise<unknown>
  }
  const owners: Readonly<Record<string, (name: string) => Promise<Owner>>> = {
    'an app': async (name) => {
      const player = await server.player(name)
      const { app, recoveryCodes } = await enableTotp(server, player)
      const confirm = (session: Visitor) => confirmWithCode(server, session, app)
      return { name, player, recoveryCodes, getCode: () => app.code(), confirm }
    },
    'a passkey alone': async (name) => {
      const player = await server.player(name)
      const authenticator = await addPasskey(player)
      const confirm = (session: Visitor) => confirmWithPasskey(session, authenticator)
      return { name, player, recoveryCodes: [], getCode: () => undefined, confirm }
    },
  }
  const signIn = async ({ name, getCode: code }: Owner, totp = code(), password = 'secret-1') => {
    const session = server.visitor()
    const answer = await login(session, name, totp, password)
    if (answer.statusCode !== 200) throw new Error(answer.body)
    return session
  }
  const copyOf = ({ cookie }: Visitor) => Object.assign(server.visitor(), { cookie })
  const attackers: Readonly<Record<string, (owner: Owner) => Promise<Visitor>>> = {
    'the cookie of the session that added the factor': async ({ player }) => player,
    'an old cookie': async (owner) => {
      const session = await signIn(owner)
      server.passTime(11 * MINUTE_MS)
      return session
    },
    'an old cookie and the password': async (owner) => {
      server.passTime(11 * MINUTE_MS)
      await owner.player.post('/api/account/confirm', { password: 'secret-1' })
      return owner.player
    },
    'a fresh cookie': signIn,
    'a fresh cookie, the password and a new password': async (owner) => {
      const session = await signIn(owner)
      await session.post('/api/account/password', { password: 'secret-1', newPassword: 'another-1' })
      return session
    },
    'a fresh cookie and a new email address': async (owner) => {
      const session = await signIn(owner)
      await session.raw(
        'PUT',
        '/api/account/email',
        JSON.stringify({ password: 'secret-1', email: `x${owner.name}@x.example` }),
      )
      return session
    },
    'the mailbox, and so a new password': async (owner) => {
      const { email } = registration(owner.name)
      const { resetToken } = (await server.visitor().post('/api/auth/forgot-password', { email })).json()
      await server.visitor().post('/api/auth/reset-password', { email, token: resetToken, newPassword: 'another-1' })
      return await signIn(owner, owner.getCode(), 'another-1')
    },
    'a cookie copied before the owner gave a proof': async (owner) => {
      const session = await signIn(owner)
      server.passTime(31_000)
      const copy = copyOf(session)
      await owner.confirm(session)
      return copy
    },
    'a cookie eleven minutes after the owner gave a proof': async (owner) => {
      await owner.confirm(owner.player)
      server.passTime(11 * MINUTE_MS)
      await owner.player.post('/api/account/confirm', { password: 'secret-1' })
      return owner.player
    },
  }
  const rows = Object.keys(owners).flatMap((what) => Object.keys(attackers).map((has) => [what, has] as const))
  it.each(rows)('(%s) lets nobody change a factor with %s', async (what, has) => {
    const owner = await owners[what]?.(`owner-${rows.findIndex((row) => row[0] === what && row[1] === has)}`)
    const attacker = await attackers[has]?.(owner as Owner)
    for (const [act, perform] of Object.entries(acts)) {
      const code = getCode(await perform(attacker as Visitor))
      expect([act, code]).toEqual([act, has.includes('before') ? 'NOT_SIGNED_IN' : 'CONFIRMATION_NEEDED'])
    }
  })

  it.each(Object.keys(owners))('(%s) accepts every change after a proof, and names a missing proof', async (what) => {
    const owner = await owners[what]?.(`proven-${what.length}`)
    if (owner === undefined) throw new Error(what)
    const asked = (await acts['begin a passkey']?.(owner.player))?.json()
    expect(asked).toMatchObject({ details: { proof: 'factor' }, detail: expect.stringMatching(/app or a passkey/) })
    await owner.confirm(owner.player)
    for (const [act, perform] of Object.entries(acts))
      expect([act, getCode(await perform(owner.player))]).not.toEqual([act, 'CONFIRMATION_NEEDED'])
  })
})

describe('a login with an authenticator app', () => {
  it('says that a code is needed only after the right password', async () => {
    await enableTotp(server, await server.player('order'))
    const needed = await login(server.visitor(), 'order')
    expect([needed.statusCode, needed.json().detail]).toEqual([
      401,
      'Please enter the six-digit code from your authenticator app, or a recovery code.',
    ])
    expect(needed.headers['set-cookie']).toBeUndefined()
    expect(await tryLogin('order', undefined, 'wrong-1')).toBe('INVALID_CREDENTIALS')
    expect(await tryLogin('order', '123456', 'wrong-1')).toBe('INVALID_CREDENTIALS')
  })

  it('accepts codes from a clock that is 30 seconds off, each once, and none older than the last one used', async () => {
    const { app } = await enableTotp(server, await server.player('clock'))
    // Moves to the start of a 30-second step, so that no step ends during the test.
    server.passTime(30_000 - (server.app.platform.clock.now().getTime() % 30_000))
    const [before, now, after] = [app.code(-1), app.code(0), app.code(1)]
    expect(await tryLogin('clock', now)).toBe('OK')
    expect(await tryLogin('clock', now)).toBe('SECOND_FACTOR_INVALID')
    expect(await tryLogin('clock', before)).toBe('SECOND_FACTOR_INVALID')
    expect(await tryLogin('clock', after)).toBe('OK')
    expect(await tryLogin('clock', after)).toBe('SECOND_FACTOR_INVALID')
    expect(await tryLogin('clock', app.code(2))).toBe('SECOND_FACTOR_INVALID')
  })

  it('needs a code even if the app was enabled just after the password was checked', async () => {
    const player = await server.player('just-enabled')
    await enableTotp(server, player)
    const { userId } = (await player.get('/api/auth/user')).json()
    const spent = server.db.transaction().execute((tx) => spendFactorProof(tx, userId, { kind: 'none' }))
    await expect(spent).rejects.toMatchObject({ code: 'SECOND_FACTOR_NEEDED' })
  })

  it.each(['code', 'recovery code'])('accepts the same %s only once if many logins send it at once', async (what) => {
    const name = `race-${what.length}`
    const { app, recoveryCodes } = await enableTotp(server, await server.player(name))
    const code = what === 'code' ? app.code() : recoveryCodes[3]
    const answers = await Promise.all(Array.from({ length: 8 }, () => tryLogin(name, code)))
    expect(answers.filter((answer) => answer === 'OK')).toHaveLength(1)
    expect(new Set(answers)).toEqual(new Set(['OK', 'SECOND_FACTOR_INVALID']))
  })

  it('ignores a code if the account has no second factor', async () => {
    await server.player('plain')
    expect(await tryLogin('plain', '123456')).toBe('OK')
  })

  it('allows 20 wrong codes a day, does not count right ones, and then still accepts a recovery code', async () => {
    const { app, recoveryCodes } = await enableTotp(server, await server.player('guessed'))
    for (let i = 0; i < 19; i++) expect(await tryLogin('guessed', app.wrongCode())).toBe('SECOND_FACTOR_INVALID')
    expect(await tryLogin('guessed', app.code())).toBe('OK')
    server.passTime(31_000)
    expect(await tryLogin('guessed', app.wrongCode())).toBe('SECOND_FACTOR_INVALID')
    const spent = await login(server.visitor(), 'guessed', app.code())
    expect([spent.statusCode, spent.json().code]).toEqual([429, 'RATE_LIMITED'])
    expect(Number(spent.headers['retry-after'])).toBeGreaterThan(86_000)
    expect(await tryLogin('guessed', recoveryCodes[0])).toBe('OK')
    server.passTime(DAY_MS)
    expect(await tryLogin('guessed', app.code())).toBe('OK')
  })

  it('deletes the times of wrong codes once they no longer count', async () => {
    const { app } = await enableTotp(server, await server.player('traced'))
    await tryLogin('traced', app.wrongCode())
    const countTries = async () => {
      await deleteOldRows(server.db, server.app.platform.clock.now())
      return (await server.db.selectFrom('totp_tries').selectAll().execute()).length
    }
    expect(await countTries()).toBeGreaterThan(0)
    server.passTime(DAY_MS)
    expect(await countTries()).toBe(0)
  })

  it('counts a stranger’s wrong codes separately from those of a browser that signed in before', async () => {
    const browser = await server.player('known')
    const { app } = await enableTotp(server, browser)
    await browser.raw('POST', '/api/auth/logout', '')
    for (let i = 0; i < 20; i++) await tryLogin('known', app.wrongCode())
    expect(await tryLogin('known', app.code())).toBe('RATE_LIMITED')
    expect(getCode(await login(browser, 'known', app.code()))).toBe('OK')
  })

  it('limits wrong codes that arrive at the same moment, too', async () => {
    const { app } = await enableTotp(server, await server.player('flood'))
    const wrong = app.wrongCode()
    const answers = await Promise.all(Array.from({ length: 30 }, () => tryLogin('flood', wrong)))
    expect(answers.filter((answer) => answer === 'SECOND_FACTOR_INVALID')).toHaveLength(20)
    expect(answers.filter((answer) => answer === 'RATE_LIMITED')).toHaveLength(10)
  })
})

describe('recovery codes', () => {
  it('replace a code once each, however they are typed, and the login says how many are left', async () => {
    const { recoveryCodes } = await enableTotp(server, await server.player('recover'))
    const [first = '', second = ''] = recoveryCodes
    expect((await login(server.visitor(), 'recover', first)).json()).toEqual({ ok: true, recoveryCodesLeft: 9 })
    expect(await tryLogin('recover', first)).toBe('SECOND_FACTOR_INVALID')
    const typed = second.replace('-', ' ').toUpperCase()
    expect((await login(server.visitor(), 'recover', typed)).json().recoveryCodesLeft).toBe(8)
    expect(await listEvents('recover')).toContain('recovery_code_used')
  })

  it('invalidate the code that the app shows at that moment', async () => {
    const { app, recoveryCodes } = await enableTotp(server, await server.player('recover-step'))
    // Moves to the start of a 30-second step, so that no step ends during the test.
    server.passTime(30_000 - (server.app.platform.clock.now().getTime() % 30_000))
    const code = app.code()
    expect(await tryLogin('recover-step', recoveryCodes[0])).toBe('OK')
    expect(await tryLogin('recover-step', code)).toBe('SECOND_FACTOR_INVALID')
    server.passTime(31_000)
    expect(await tryLogin('recover-step', app.code())).toBe('OK')
  })

  it('are stored only as argon2id hashes, and do not work for another player', async () => {
    const { recoveryCodes } = await enableTotp(server, await server.player('hashed'))
    await enableTotp(server, await server.player('another'))
    expect(await tryLogin('another', recoveryCodes[0])).toBe('SECOND_FACTOR_INVALID')
    const rows = await server.db.selectFrom('recovery_codes').select('code_hash').execute()
    for (const { code_hash } of rows) expect(code_hash).toMatch(/^\$argon2id\$/)
    const all = JSON.stringify(rows)
    for (const code of recoveryCodes) expect(all).not.toContain(code.replace('-', ''))
  })

  it('are replaced all at once by new ones', async () => {
    const player = await server.player('renew')
    const { app, recoveryCodes: old } = await enableTotp(server, player)
    await confirmWithCode(server, player, app)
    const { recoveryCodes: fresh } = (await player.post('/api/account/recovery-codes', {})).json()
    expect(fresh).toHaveLength(10)
    expect(await tryLogin('renew', old[0])).toBe('SECOND_FACTOR_INVALID')
    expect(await tryLogin('renew', fresh[0])).toBe('OK')
    expect(await listEvents('renew')).toContain('recovery_codes_made')
  })

  it('are not created without an app', async () => {
    const player = await server.player('appless')
    expect(getCode(await player.post('/api/account/recovery-codes', {}, problem))).toBe('SECOND_FACTOR_OFF')
    expect(getCode(await player.post('/api/account/second-factor/disable', {}, problem))).toBe('SECOND_FACTOR_OFF')
  })
})

describe('switching the app off', () => {
  it('makes the password sufficient again, and invalidates the old recovery codes', async () => {
    const player = await server.player('off')
    const { app, recoveryCodes } = await enableTotp(server, player)
    await confirmWithCode(server, player, app)
    expect((await player.post('/api/account/second-factor/disable', {})).statusCode).toBe(200)
    expect(await tryLogin('off')).toBe('OK')
    expect(await readStatus(player)).toEqual({ isOn: false, enabledAt: null, recoveryCodesLeft: 0 })
    expect(await listEvents('off')).toContain('totp_disabled')
    await enableTotp(server, player)
    expect(await tryLogin('off', recoveryCodes[0])).toBe('SECOND_FACTOR_INVALID')
  })

  it('is possible after signing in with a recovery code, without another proof', async () => {
    const { recoveryCodes } = await enableTotp(server, await server.player('lost-phone'))
    const visitor = server.visitor()
    await login(visitor, 'lost-phone', recoveryCodes[0])
    expect((await visitor.post('/api/account/second-factor/disable', {})).statusCode).toBe(200)
    expect(await tryLogin('lost-phone')).toBe('OK')
  })
})

describe('a second factor', () => {
  it('does not end existing sessions', async () => {
    const player = await server.player('old-session')
    const elsewhere = server.visitor()
    await login(elsewhere, 'old-session')
    await enableTotp(server, player)
    expect((await elsewhere.get('/api/auth/user')).statusCode).toBe(200)
    expect((await player.get('/api/auth/user')).statusCode).toBe(200)
  })

  it('outlives a password reset', async () => {
    const player = await server.player('reset')
    const { app, recoveryCodes } = await enableTotp(server, player)
    const visitor = server.visitor()
    const { email } = registration('reset')
    const { resetToken } = (await visitor.post('/api/auth/forgot-password', { email })).json()
    const done = await visitor.post('/api/auth/reset-password', { token: resetToken, newPassword: 'another-1' })
    expect(done.statusCode).toBe(200)
    expect(getCode(await login(visitor, 'reset', undefined, 'another-1'))).toBe('SECOND_FACTOR_NEEDED')
    expect(getCode(await login(visitor, 'reset', app.code(), 'another-1'))).toBe('OK')
    expect(await tryLogin('reset', recoveryCodes[0], 'another-1')).toBe('OK')
  })

  it('confirms dangerous acts with a code, but not with a recovery code', async () => {
    const player = await server.player('step-up')
    const { app, recoveryCodes } = await enableTotp(server, player)
    server.passTime(11 * MINUTE_MS)
    const confirm = (totp: string) => player.post('/api/account/confirm', { totp }, problem)
    const wrong = await confirm(app.wrongCode())
    expect([wrong.statusCode, getCode(wrong)]).toEqual([403, 'WRONG_CODE'])
    expect(getCode(await confirm(recoveryCodes[0] ?? ''))).toBe('BAD_INPUT')
    expect(getCode(await player.post('/api/account/recovery-codes', {}, problem))).toBe('CONFIRMATION_NEEDED')
    const code = app.code()
    const answers = (await Promise.all([confirm(code), confirm(code), confirm(code)])).map(getCode)
    expect(answers.sort()).toEqual(['OK', 'WRONG_CODE', 'WRONG_CODE'])
    expect(getCode(await player.post('/api/account/recovery-codes', {}, problem))).toBe('OK')
    expect((await player.get('/api/auth/user')).statusCode).toBe(200)
  })
})
