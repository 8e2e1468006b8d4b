import { describe, expect, it } from 'vitest'
import { registration, shareTestServer, type TestServer } from '../../support/test-server.ts'

const server = await shareTestServer()

async function countRows({ db }: TestServer): Promise<number[]> {
  const tables = ['users', 'accounts', 'grants', 'sessions'] as const
  return await Promise.all(tables.map(async (table) => (await db.selectFrom(table).selectAll().execute()).length))
}

describe('register', () => {
  it('creates a player with 100 SOL who is signed in', async () => {
    const visitor = server.visitor()
    const answer = await visitor.post('/api/auth/register', registration('Ann'))
    expect(answer.statusCode).toBe(201)
    const user = (await visitor.get('/api/auth/user')).json()
    expect(user).toMatchObject({ username: 'Ann', solBalance: '100', isAuthenticated: true, warning: null })
    const grants = await server.db.selectFrom('grants').selectAll().where('user_id', '=', user.id).execute()
    expect(grants).toMatchObject([{ kind: 'register', amount: '100.000000000' }])
  })

  it('stores neither the password nor the token of the session', async () => {
    const visitor = server.visitor()
    await visitor.post('/api/auth/register', registration('secretive'))
    const user = await server.db
      .selectFrom('users')
      .selectAll()
      .where('username', '=', 'secretive')
      .executeTakeFirstOrThrow()
    const session = await server.db
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow()
    expect(user.password_hash).toMatch(/^\$argon2id\$/)
    expect(visitor.cookie).not.toContain(session.token_hash.toString('base64url'))
    expect(session.token_hash).toHaveLength(32)
  })

  it('sets a cookie that scripts and other sites cannot read', async () => {
    const answer = await server.visitor().post('/api/auth/register', registration('cookie'))
    expect(answer.cookies).toMatchObject([
      { name: 'papermoon_session', httpOnly: true, sameSite: 'Lax', path: '/', maxAge: 2_592_000 },
      { name: 'papermoon_known', httpOnly: true, sameSite: 'Lax', path: '/', maxAge: 31_536_000 },
      { name: 'papermoon_browser', httpOnly: true, sameSite: 'Lax', path: '/', maxAge: 90 * 24 * 3_600 },
    ])
    expect(answer.cookies[0]).not.toHaveProperty('secure')
  })

  it.each([
    ['another case', { username: 'tAKEN', email: 'other1@x.org' }, 'username'],
    ['a look-alike', { username: 'tаken', email: 'other2@x.org' }, 'username'],
    ['the same email in another case', { username: 'free', email: 'Taken@Papermoon.example' }, 'email'],
  ])('rejects a name or email that is taken: %s', async (_name, fields, what) => {
    await server.visitor().post('/api/auth/register', registration('taken'))
    const before = await countRows(server)
    const answer = await server.visitor().post('/api/auth/register', { ...registration('taken'), ...fields })
    expect(answer.statusCode).toBe(409)
    expect(answer.body).toContain(what)
    expect(await countRows(server)).toEqual(before)
  })

  it('accepts only one of many concurrent registrations of the same name', async () => {
    const [users = 0, ...rest] = await countRows(server)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        server.visitor().post('/api/auth/register', { ...registration('racer'), email: `racer-${index}@x.org` }),
      ),
    )
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([201, ...new Array(9).fill(409)])
    expect(await countRows(server)).toEqual([users + 1, ...rest.map((count) => count + 1)])
  })

  it('trims the username, normalizes it to NFC, and keeps the email as written', async () => {
    const visitor = server.visitor()
    const fields = { ...registration('x'), username: '  Zoe\u0301   B ', email: ' Zoe@Papermoon.example ' }
    await visitor.post('/api/auth/register', fields)
    expect((await visitor.get('/api/auth/user')).json()).toMatchObject({
      username: 'Zo\u00e9 B',
      email: 'Zoe@Papermoon.example',
    })
  })

  it.each([
    [{ username: 'Papermoon Official' }, 409, 'This username, or one that looks like it, is already taken.'],
    [{ username: 'lunа' }, 400, 'username must use the letters of one alphabet.'],
    [{ email: '<x@evil.org' }, 400, 'email must be an email address.'],
  ])('refuses %j', async (fields, status, sentence) => {
    const answer = await server.visitor().post('/api/auth/register', { ...registration('refused'), ...fields })
    expect([answer.statusCode, answer.body]).toEqual([status, sentence])
  })

  it('checks the availability of a name or email only for guests, and not for callers with a token', async () => {
    const player = await server.player('veteran')
    const email = '<x@evil.org'
    const old = { username: 'аdmin', email, email_key: email }
    await server.db.updateTable('users').set(old).where('username', '=', 'veteran').execute()
    expect((await server.visitor().post('/api/auth/login', { email, password: 'secret-1' })).statusCode).toBe(200)
    expect((await server.visitor().post('/api/auth/forgot-password', { email })).statusCode).toBe(200)
    expect(await player.launch({ name: 'Papermoon ꓡꓵ', symbol: 'ADMIN' })).toBeGreaterThan(0)
  })
})
