import type { LightMyRequestResponse } from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import { createTestServer, openSocket, registration, type Visitor } from '../../support/test-server.ts'

const DAY_MS = 24 * 3_600_000
const PLAIN = 'papermoon_session'
const PREFIXED = '__Host-papermoon_session'

const secure = await createTestServer({ env: { PUBLIC_URL: 'https://moon.example' } })
const plain = await createTestServer({ env: { TRUST_PROXY: 'loopback' } })
afterAll(async () => {
  await secure.close()
  await plain.close()
})

const setCookies = (answer: LightMyRequestResponse) =>
  answer.cookies.map(({ name, value, path, secure, domain }) => ({ name, isSet: value !== '', path, secure, domain }))
const isSignedIn = async (visitor: Visitor) => (await visitor.get('/api/auth/user')).statusCode === 200
const getToken = (visitor: Visitor) => visitor.cookies.get(PREFIXED)?.split('=')[1] ?? ''

/** Returns a browser with a session cookie from before cookie prefixes were used. */
async function withOldCookie(username: string): Promise<Visitor> {
  const player = await secure.player(username)
  const old = secure.visitor()
  old.cookie = `${PLAIN}=${getToken(player)}`
  const id = await player.id()
  const until = new Date(secure.app.platform.clock.now().getTime() + 80 * DAY_MS)
  await secure.db.updateTable('sessions').set({ plain_cookie_until: until }).where('user_id', '=', id).execute()
  secure.passTime(4_000)
  return old
}

describe('over https', () => {
  it('every cookie has the prefix and its required attributes, also if a trusted proxy reports https', async () => {
    const answer = await secure.visitor().post('/api/auth/register', registration('prefixed'))
    const headers = { 'x-forwarded-proto': 'https' }
    const proxied = await plain.visitor().post('/api/auth/register', registration('proxied'), headers)
    expect(setCookies(proxied)).toEqual(setCookies(answer))
    expect(setCookies(answer)).toEqual([
      { name: PREFIXED, isSet: true, path: '/', secure: true, domain: undefined },
      { name: '__Host-papermoon_known', isSet: true, path: '/', secure: true, domain: undefined },
      { name: '__Host-papermoon_browser', isSet: true, path: '/', secure: true, domain: undefined },
    ])
    const forgot = await secure.visitor().post('/api/auth/forgot-password', { email: 'prefixed@papermoon.example' })
    expect(forgot.cookies.map(({ name }) => name)).toEqual(['__Host-papermoon_reset'])
  })

  it('a session’s cookie signs in, also over sockets, and logout clears it', async () => {
    const player = await secure.player('by-prefix')
    expect(await isSignedIn(player)).toBe(true)
    const port = await secure.listen()
    const headers = { cookie: `${PREFIXED}=${getToken(player)}`, origin: 'https://moon.example' }
    const listener = await openSocket(`ws://127.0.0.1:${port}/trpc`, headers)
    listener.send({ id: 1, method: 'query', params: { path: 'auth.me', input: { json: null } } })
    expect(await listener.next()).toMatchObject({ result: { data: { json: { username: 'by-prefix' } } } })
    await player.raw('POST', '/api/auth/logout', '')
    expect([getToken(player), await isSignedIn(player)]).toEqual(['', false])
    expect(await listener.closed).toBe(1008)
  })

  it('an old cookie is replaced: the player stays signed in, and the old name is cleared', async () => {
    const old = await withOldCookie('swapped')
    const answer = await old.get('/api/auth/user')
    expect([answer.statusCode, answer.json().username]).toEqual([200, 'swapped'])
    expect(setCookies(answer).map(({ name, isSet }) => [name, isSet])).toEqual([
      [PLAIN, false],
      [PREFIXED, true],
    ])
    const maxAge = answer.cookies.find(({ name }) => name === PREFIXED)?.maxAge ?? 0
    expect(maxAge).toBeGreaterThan(29 * 86_400)
    expect([old.cookie, await isSignedIn(old)]).toEqual([undefined, true])
  })

  it('the old cookie is accepted for one more minute', async () => {
    const old = await withOldCookie('under-way')
    const late = secure.visitor()
    const cookie = old.cookie ?? ''
    await old.get('/api/auth/user')
    secure.passTime(4_000)
    expect((await late.get('/api/auth/user', { cookie })).statusCode).toBe(200)
    secure.passTime(61_000)
    expect((await late.get('/api/auth/user', { cookie })).statusCode).toBe(401)
    expect(await isSignedIn(old)).toBe(true)
  })

  it('a neighbouring host cannot plant a session: old cookies do not work for a browser that never had one', async () => {
    const attacker = await secure.player('neighbour')
    const victim = secure.visitor()
    victim.cookie = `${PLAIN}=${getToken(attacker)}`
    expect(await isSignedIn(victim)).toBe(false)
    // Once the session is cached, the result is the same.
    expect(await isSignedIn(attacker)).toBe(true)
    expect(await isSignedIn(victim)).toBe(false)
  })

  it('the cookie with the prefix wins over any cookie with the old name', async () => {
    const player = await secure.player('both')
    player.cookie = `${PLAIN}=${'p'.repeat(43)}`
    expect((await player.get('/api/auth/user')).json().username).toBe('both')
  })

  it('a trusted browser stays trusted', async () => {
    const player = await secure.player('known-before')
    const mark = player.cookies.get('__Host-papermoon_known')?.split('=')[1] ?? ''
    const old = secure.visitor()
    old.cookies.set('papermoon_known', `papermoon_known=${mark}`)
    const { email, password } = registration('known-before')
    const answer = await old.post('/api/auth/login', { email, password })
    expect(answer.cookies.find(({ name }) => name === 'papermoon_known')?.value).toBe('')
    expect(old.cookies.has('__Host-papermoon_known')).toBe(true)
  })
})

describe('over http', () => {
  it('cookies keep their plain names, which browsers accept there, unless a trusted proxy reports https', async () => {
    const claim = { headers: { 'x-forwarded-proto': 'https' }, remoteAddress: '203.0.113.7' }
    for (const [name, more] of [
      ['on-a-lan', {}],
      ['claiming-tls', claim],
    ] as const) {
      const request = { method: 'POST', url: '/api/auth/register', payload: registration(name), ...more } as const
      const answer = await plain.visitor().send(request)
      expect(answer.cookies.map(({ name, secure }) => [name, secure === true])).toEqual([
        [PLAIN, false],
        ['papermoon_known', false],
        ['papermoon_browser', false],
      ])
    }
  })

  it('a session continues when its server gets https', async () => {
    const player = await plain.player('moved')
    const answer = await player.get('/api/auth/user', { 'x-forwarded-proto': 'https' })
    expect([answer.statusCode, answer.cookies.map(({ name }) => name)]).toEqual([200, [PLAIN, PREFIXED]])
  })
})

describe('a session', () => {
  it('ends after 90 days even if it is used, and its cookie expires then', async () => {
    const player = await plain.player('ever-present')
    const begun = plain.app.platform.clock.now().getTime()
    let lastCookieDays = 0
    for (let day = 0; day < 89; day += 4) {
      plain.passTime(4 * DAY_MS)
      const answer = await player.get('/api/auth/user')
      if (answer.statusCode !== 200) break
      const maxAge = answer.cookies.find(({ name }) => name === PLAIN)?.maxAge
      if (maxAge === undefined) continue
      const passedDays = Math.round((plain.app.platform.clock.now().getTime() - begun) / DAY_MS)
      lastCookieDays = passedDays + maxAge / 86_400
      expect(lastCookieDays).toBeLessThanOrEqual(90)
    }
    expect(lastCookieDays).toBeCloseTo(90, 1)
    plain.passTime(begun + 90 * DAY_MS - 60_000 - plain.app.platform.clock.now().getTime())
    expect(await isSignedIn(player)).toBe(true)
    plain.passTime(61_000)
    expect(await isSignedIn(player)).toBe(false)
  })
})
