import { describe, expect, it } from 'vitest'
import { registration, shareTestServer } from '../../support/test-server.ts'

const server = await shareTestServer()

let count = 0
const register = (email: string) =>
  server.visitor().post('/api/auth/register', { ...registration(`mailed-${++count}`), email })

describe('the e-mail of a new account', () => {
  it.each([
    '<x@evil.org',
    'x>@evil.org',
    'a,b@evil.org',
    'a;b@evil.org',
    '"a b"@evil.org',
    'a:b@evil.org',
    '(a)@evil.org',
    'a@evil.org>',
    'a@[127.0.0.1]',
    'a@-evil.org',
    'a@evil..org',
    'a@evil_org',
    'a@b@evil.org',
    'evil.org',
  ])('is refused where it is none: %s', async (email) => {
    const answer = await register(email)
    expect([answer.statusCode, answer.body]).toEqual([400, 'email must be an e-mail address.'])
  })

  it.each([
    'luna@example.org',
    'luna.moon+play@mail.example.org',
    "o'neil@example.org",
    'luna@localhost',
    'łuna@księżyc.example',
    '用户@例子.广告',
  ])('is taken: %s', async (email) => {
    expect((await register(email)).statusCode).toBe(201)
  })

  it('is not required of existing accounts: they sign in and get reset codes', async () => {
    await server.player('veteran')
    const email = '<x@evil.org'
    await server.db.updateTable('users').set({ email, email_key: email }).where('username', '=', 'veteran').execute()
    const password = 'secret-1'
    expect((await server.visitor().post('/api/auth/login', { email, password })).statusCode).toBe(200)
    expect((await server.visitor().post('/api/auth/forgot-password', { email })).statusCode).toBe(200)
  })
})
