import { describe, expect, it } from 'vitest'
import { deleteOldRows } from '../../../src/delete-old-rows.ts'
import { CredentialCache, identifySecret, newSecret } from '../../../src/features/account/credentials.ts'
import { SESSIONS_MAX } from '../../../src/features/account/sign-in/store.ts'
import { countHashes, registration, shareTestServer, type Visitor } from '../../support/test-server.ts'

const DAY_MS = 24 * 3_600_000

const server = await shareTestServer()

const credentials = (username: string) => {
  const { email, password } = registration(username)
  return { email, password }
}
const ACTIVE = { accountStatus: 'active', expiresAt: null } as const
const isSignedIn = async (visitor: Visitor) => (await visitor.get('/api/auth/user')).statusCode === 200
const getToken = (visitor: Visitor) => visitor.cookie?.split('=')[1] ?? ''

describe('login', () => {
  it('responds to an unknown email as to a wrong password, after the same work', async () => {
    await server.player('known')
    const works: number[] = []
    const answers: string[] = []
    for (const email of ['known@papermoon.example', 'unknown@papermoon.example']) {
      const before = await countHashes(server)
      const answer = await server.visitor().post('/api/auth/login', { email, password: 'wrong-1' })
      works.push((await countHashes(server)) - before)
      answers.push(`${answer.statusCode} ${answer.body}`)
    }
    expect(works).toEqual([1, 1])
    expect(answers).toEqual(new Array(2).fill('401 Invalid credentials.'))
  })

  it('ends the session of the request and issues a new token', async () => {
    const visitor = await server.player('fixated')
    const planted = visitor.cookie
    await visitor.post('/api/auth/login', credentials('fixated'))
    expect(visitor.cookie).not.toBe(planted)
    const attacker = server.visitor()
    attacker.cookie = planted
    expect(await isSignedIn(attacker)).toBe(false)
    expect(await isSignedIn(visitor)).toBe(true)
  })

  it('and registration do not accept a planted token', async () => {
    const planted = `papermoon_session=${'p'.repeat(43)}`
    for (const [path, body] of [
      ['register', registration('planted')],
      ['login', credentials('planted')],
    ] as const) {
      const visitor = server.visitor()
      visitor.cookie = planted
      expect((await visitor.post(`/api/auth/${path}`, body)).statusCode).toBeLessThan(300)
      expect(visitor.cookie).not.toBe(planted)
      const attacker = server.visitor()
      attacker.cookie = planted
      expect(await isSignedIn(attacker)).toBe(false)
    }
  })

  it('keeps a bounded number of sessions and drops the oldest', async () => {
    const first = await server.player('many')
    const id = await first.id()
    for (let count = 0; count < SESSIONS_MAX; count++) {
      server.passTime(1_000)
      await server.visitor().post('/api/auth/login', credentials('many'))
    }
    const rows = await server.db.selectFrom('sessions').selectAll().where('user_id', '=', id).execute()
    expect(rows).toHaveLength(SESSIONS_MAX)
    expect(await isSignedIn(first)).toBe(false)
  })
})

describe('logout', () => {
  it('ends the session and clears the cookie', async () => {
    const visitor = await server.player('leaver')
    const old = visitor.cookie
    const answer = await visitor.raw('POST', '/api/auth/logout', '')
    expect(answer.statusCode).toBe(200)
    expect(visitor.cookie).toBeUndefined()
    visitor.cookie = old
    expect(await isSignedIn(visitor)).toBe(false)
  })
})

describe('a session', () => {
  it('ends 30 days after its last use', async () => {
    const visitor = await server.player('idle')
    server.passTime(30 * DAY_MS + 1_000)
    expect(await isSignedIn(visitor)).toBe(false)
  })

  it('and its cookie are prolonged by use', async () => {
    const visitor = await server.player('regular')
    const token = getToken(visitor)
    for (let week = 0; week < 8; week++) {
      server.passTime(7 * DAY_MS)
      const answer = await visitor.get('/api/auth/user')
      expect(answer.statusCode).toBe(200)
      expect(answer.cookies).toMatchObject([{ name: 'papermoon_session', value: token, maxAge: 2_592_000 }])
    }
  })

  it('is not written to the database at each use', async () => {
    const visitor = await server.player('frequent')
    server.passTime(3_600_000)
    expect((await visitor.get('/api/auth/user')).cookies).toEqual([])
  })

  it('that ended on another node ends here within seconds', async () => {
    const visitor = await server.player('nomad')
    expect(await isSignedIn(visitor)).toBe(true)
    await server.db.deleteFrom('sessions').execute()
    server.passTime(3_001)
    expect(await isSignedIn(visitor)).toBe(false)
  })

  it.each(['revoke', 'clear'] as const)('is not cached by a read that began before %s', async (drop) => {
    const cache = new CredentialCache<typeof ACTIVE>()
    const id = identifySecret(newSecret())
    const now = new Date()
    const { promise, resolve } = Promise.withResolvers<typeof ACTIVE>()
    const found = cache.find(id, now, () => promise)
    cache[drop](id)
    resolve(ACTIVE)
    await found
    expect(cache.has(id, now)).toBe(false)
  })

  it('is read once for concurrent callers; after a second a background read refreshes it, and no caller waits', async () => {
    const cache = new CredentialCache<typeof ACTIVE>()
    const id = identifySecret(newSecret())
    const reads: boolean[] = []
    const find = (atMs: number) =>
      cache.find(id, new Date(atMs), async (isAwaited) => {
        reads.push(isAwaited)
        return ACTIVE
      })
    await Promise.all([find(0), find(0), find(999)])
    expect(reads).toEqual([true])
    await Promise.all([find(1_000), find(1_500)])
    expect(reads).toEqual([true, false])
    await find(1_999)
    expect(reads).toEqual([true, false])
    await find(4_000)
    expect(reads).toEqual([true, false, true])
  })

  it('allows calls, unless it has expired or the account is frozen', async () => {
    const cache = new CredentialCache<{ accountStatus: 'active' | 'frozen'; expiresAt: Date | null }>()
    const now = new Date()
    const has = async (owner: { accountStatus: 'active' | 'frozen'; expiresAt: Date | null }) => {
      const id = identifySecret(newSecret())
      await cache.find(id, now, async () => owner)
      return cache.has(id, now)
    }
    expect(await has(ACTIVE)).toBe(true)
    expect(await has({ accountStatus: 'active', expiresAt: now })).toBe(false)
    expect(await has({ accountStatus: 'frozen', expiresAt: null })).toBe(false)
  })

  it.each(['', 'x', 'a'.repeat(43), 'a'.repeat(5_000), '%00', 'ä'])('is not found with the token %j', async (token) => {
    const visitor = server.visitor()
    visitor.cookie = `papermoon_session=${encodeURIComponent(token)}`
    expect((await visitor.get('/api/auth/user')).statusCode).toBe(401)
  })

  it('is swept once it has expired, and other sessions stay', async () => {
    await server.db.deleteFrom('sessions').execute()
    await server.player('old')
    server.passTime(31 * DAY_MS)
    const fresh = await server.player('fresh')
    await deleteOldRows(server.db, server.app.platform.clock.now())
    expect(await server.db.selectFrom('sessions').select('id').execute()).toHaveLength(1)
    expect(await isSignedIn(fresh)).toBe(true)
  })
})
