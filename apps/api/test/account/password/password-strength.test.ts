import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { assertStrongPassword, WeakPasswordError } from '../../../src/features/account/password/password-strength.ts'
import { createTestServer, registration, type TestServer, type Visitor } from '../../support/test-server.ts'

const MIA = ['Mia', 'mia.moon@example.org']
const isWeak = (password: string, personal: readonly string[] = MIA) =>
  assertStrongPassword(password, personal).then(
    () => false,
    (error: unknown) => error instanceof WeakPasswordError,
  )

/** Passwords that take zxcvbn the longest to score. */
const HOSTILE = [
  ...['1'.repeat(200), '12'.repeat(100), 'a4@b8c({[<de3f69g&h#i!1|jkl', '31415926535897932384626433832795028841'],
  ...['4@8({[<369&#!1|0$5+7%2'.repeat(9), 'abcdefghijklmnopqrstuvwxyz0123456789', 'p4$$w0rd1l0v3y0u5un5h1n3m0nk3y'],
]

describe('a new password', () => {
  it.each([
    ...['123456', '      ', 'aaaaaa', 'abcabc', '987654', '121212', 'qwerty', '1q2w3e4r', '19881988'],
    ...['password', 'Passw0rd', 'PASSWORD', 'p@ssw0rd', 'drowssap', 'iloveyou', 'sunshine', 'monkey1', 'letmein1'],
    ...['papermoon', 'PaperMoon', 'paperm00n', 'noomrepap', 'papermoon1', '1papermoon!', 'Papermoon2026'],
    ...['miamia', 'mia1234', 'mia.moon@example.org', 'mia.moon', 'MIA.MOON', 'mia.moon1', 'aim1234'],
    'a'.repeat(200),
    '1234567890'.repeat(20),
    // Passwords that repeat one part or mix very few characters.
    ...['xq7k'.repeat(2), 'passwordpasswordpassword', 'mia.moon'.repeat(6), '1!|1|!!|1|!1!|1|', '0110100110010110'],
  ])('is rejected if it is easy to guess: %j', async (password) => {
    expect(await isWeak(password)).toBe(true)
  })

  it.each([
    ...['secret-1', 'moonlit-1', 'brand-new', 'moon-1', 'correct horse', 'hunter-22', 'mia-lantern', 'paper lantern'],
    ...['пароль123', 'ключ от луны', '月が綺麗ですね', '🌙🚀🍕🎈🐙🎸', `${'ab1'.repeat(30)}-kite`],
  ])('is taken where it is not: %j', async (password) => {
    expect(await isWeak(password)).toBe(false)
  })

  it.each(['hunter22', 'Moonlight', '193570356033', 'dimazarya'])('is rejected if it leaked: %j', async (password) => {
    expect(await isWeak(password)).toBe(true)
  })

  it('is accepted if it merely contains a short name', async () => {
    expect(await isWeak('al-58392017', ['al', 'al@x.org'])).toBe(false)
    expect(await isWeak('xq7-banana', ['a', 'b@c.de'])).toBe(false)
  })

  it('is rejected if it equals a name that is longer than the scored part, or that repeats itself', async () => {
    const name = 'a-moonlit-lantern-over-the-lake'
    for (const weak of [name, `${name}99`, [...name].reverse().join('')]) expect(await isWeak(weak, [name])).toBe(true)
    expect(await isWeak('kiteskites', ['kiteskites'])).toBe(true)
    expect(await isWeak('kiteskites')).toBe(false)
  })

  it.each(HOSTILE)('is scored by its beginning alone, in bounded work: %j', async (password) => {
    const check = vi.spyOn(ZxcvbnFactory.prototype, 'check')
    await isWeak(password)
    for (const [scored] of check.mock.calls) expect(scored.length).toBeLessThanOrEqual(20)
    check.mockRestore()
  })

  it('can be the name of another player', async () => {
    expect(await isWeak('mia.moon', ['Bob', 'bob@example.org'])).toBe(false)
  })
})

describe('weak passwords', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await createTestServer({ env: { SHOW_RESET_CODES: 'on' } })
  })
  afterAll(() => server?.close())

  const SENTENCE = 'This password is too easy to guess. Please choose another one.'

  it('create no account over any transport, and the email remains free', async () => {
    const weak = { ...registration('weak'), password: 'papermoon' }
    const overRest = await server.visitor().post('/api/auth/register', weak, { accept: 'application/json' })
    expect([overRest.statusCode, overRest.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'WEAK_PASSWORD', detail: SENTENCE }),
    ])
    const overTrpc = await server.visitor().mutate('auth.register', { ...weak, password: 'weak12' })
    expect([overTrpc.statusCode, overTrpc.json().error.json.data.reason]).toEqual([400, 'WEAK_PASSWORD'])
    expect((await server.visitor().post('/api/auth/register', registration('weak'))).statusCode).toBe(201)
  })

  it('are rejected by resets without using up a right code, in any browser; a wrong code is counted and not scored', async () => {
    // The username does not occur in the email, so the server must look it up to find the password weak.
    const email = 'mailbox@papermoon.example'
    await server.visitor().post('/api/auth/register', { ...registration('weak-again'), email })
    const [asking, other] = [server.visitor(), server.visitor()]
    const { resetToken: code } = (await asking.post('/api/auth/forgot-password', { email })).json()
    const wrong = code === '654321' ? '123456' : '654321'
    const reset = (browser: Visitor, token: string, newPassword: string) =>
      browser.post('/api/auth/reset-password', { token, newPassword, email })
    for (let tries = 0; tries < 6; tries++) expect((await reset(asking, code, 'weak-again')).body).toBe(SENTENCE)
    for (let tries = 0; tries < 16; tries++) expect((await reset(other, code, 'weak-again')).body).toBe(SENTENCE)
    for (let tries = 0; tries < 5; tries++) {
      expect((await reset(asking, wrong, 'weak-again')).body).toBe('Invalid or expired reset code.')
    }
    expect((await reset(other, code, 'a-kite-in-may')).body).toBe('Invalid or expired reset code.')
  })

  it('still sign in to existing accounts', async () => {
    await server.player('veteran')
    const password_hash = await server.app.accounts.passwords.hash('', '123456')
    await server.db.updateTable('users').set({ password_hash }).where('username', '=', 'veteran').execute()
    const { email } = registration('veteran')
    expect((await server.visitor().post('/api/auth/login', { email, password: '123456' })).statusCode).toBe(200)
  })
})
