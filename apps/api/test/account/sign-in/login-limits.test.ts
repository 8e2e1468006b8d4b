import { afterEach, describe, expect, it } from 'vitest'
import { generator } from '../../support/random-trading.ts'
import { createTestServer, openSocket, registration, type TestServer, type Visitor } from '../../support/test-server.ts'

let server: TestServer | undefined
afterEach(() => server?.close())

async function limited(): Promise<TestServer> {
  server = await createTestServer({
    hasJobs: false,
    env: { RATE_LIMIT: 'on', TRUST_PROXY: 'loopback', SHOW_RESET_CODES: 'on' },
  })
  return server
}

const from = (host: number) => ({ 'x-forwarded-for': `203.0.113.${host}` })

function tryAs(visitor: Visitor, email: string, password: string, host: number): Promise<{ statusCode: number }> {
  return visitor.post('/api/auth/login', { email, password }, from(host))
}

/** Sends wrong passwords for an account from many addresses, at most ten from each; returns the statuses. */
async function guess(of: TestServer, email: string, count: number, visitor = () => of.visitor()): Promise<number[]> {
  const statuses: number[] = []
  for (let i = 0; i < count; i++) {
    statuses.push((await tryAs(visitor(), email, `wrong-${i}`, 100 + Math.floor(i / 10))).statusCode)
  }
  return statuses
}

const owner = registration('owner')

describe('logins of an account', () => {
  it('are counted only when they are wrong', async () => {
    const { player, visitor } = await limited()
    await player('owner')
    const statuses: number[] = []
    for (let i = 0; i < 40; i++) statuses.push((await tryAs(visitor(), owner.email, owner.password, i)).statusCode)
    expect(statuses).toEqual(new Array(40).fill(200))
  })

  it('are limited to 30 wrong ones for strangers, and the owner still logs in from a trusted browser', async () => {
    const of = await limited()
    const browser = await of.player('owner')
    await browser.raw('POST', '/api/auth/logout', '')
    expect(await guess(of, owner.email, 31)).toEqual([...new Array(30).fill(401), 429])
    expect((await tryAs(of.visitor(), owner.email, owner.password, 7)).statusCode).toBe(429)
    expect((await tryAs(browser, owner.email, owner.password, 8)).statusCode).toBe(200)
  })

  it('are limited to 10 wrong ones for a trusted browser, also concurrently, and strangers’ are counted separately', async () => {
    const of = await limited()
    const browser = await of.player('owner')
    const answers = await Promise.all(
      Array.from({ length: 15 }, (_, i) => tryAs(browser, owner.email, `wrong-${i}`, i)),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([
      ...new Array(10).fill(401),
      ...new Array(5).fill(429),
    ])
    expect((await tryAs(of.visitor(), owner.email, owner.password, 50)).statusCode).toBe(200)
  })

  it('are limited to 10 wrong ones from one address without affecting other addresses', async () => {
    const of = await limited()
    await of.player('owner')
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) statuses.push((await tryAs(of.visitor(), owner.email, `wrong-${i}`, 9)).statusCode)
    expect(statuses).toEqual([...new Array(10).fill(401), 429, 429])
    expect((await tryAs(of.visitor(), owner.email, owner.password, 10)).statusCode).toBe(200)
  })

  it('count wrong recovery codes too, which no other limit bounds', async () => {
    const of = await limited()
    const { id } = (await (await of.player('owner')).get('/api/auth/user')).json()
    const row = {
      user_id: id,
      sealed: Buffer.alloc(0),
      created_at: new Date(),
      enabled_at: new Date(),
      last_step: null,
    }
    await of.db.insertInto('totp_secrets').values(row).execute()
    const statuses: number[] = []
    for (let i = 0; i < 11; i++) {
      const body = { email: owner.email, password: owner.password, totp: `abcde-0000${i % 10}` }
      statuses.push((await of.visitor().post('/api/auth/login', body, from(9))).statusCode)
    }
    expect(statuses).toEqual([...new Array(10).fill(401), 429])
  })

  it('are limited over all transports together, and not evaded by batches', async () => {
    const of = await limited()
    await of.player('owner')
    const statuses: number[] = []
    for (let i = 0; i < 32; i++) {
      const body = { email: owner.email, password: `wrong-${i}` }
      const headers = from(Math.floor(i / 8))
      const answer =
        i % 2 === 0
          ? await of.visitor().post('/api/auth/login', body, headers)
          : await of.visitor().post('/trpc/auth.login', { json: body }, headers)
      statuses.push(answer.statusCode)
    }
    expect(statuses).toEqual([...new Array(30).fill(401), 429, 429])
    const batch = { 0: { json: owner }, 1: { json: owner } }
    const batched = await of.visitor().post('/trpc/auth.login,auth.login?batch=1', batch, from(77))
    expect(batched.statusCode).toBe(400)
    const socket = await openSocket(`ws://127.0.0.1:${await of.listen()}/trpc`)
    socket.send({ id: 1, method: 'mutation', params: { path: 'auth.login', input: { json: owner } } })
    expect(await socket.next()).toMatchObject({ error: { json: { data: { reason: 'BAD_INPUT' } } } })
    socket.socket.close()
  })

  it('are trusted again in the browser that reset the password, and in no earlier one', async () => {
    const of = await limited()
    const old = await of.player('owner')
    const browser = of.visitor()
    const { resetToken: token } = (await browser.post('/api/auth/forgot-password', { email: owner.email })).json()
    await browser.post('/api/auth/reset-password', { token, newPassword: 'brand-new' })
    await guess(of, owner.email, 31)
    expect((await tryAs(old, owner.email, 'brand-new', 7)).statusCode).toBe(429)
    expect((await tryAs(browser, owner.email, 'brand-new', 8)).statusCode).toBe(200)
  })
})

describe('the cookie of a trusted browser', () => {
  const getMarks = (browser: Visitor) => browser.cookies.get('papermoon_known')?.split('=')[1] ?? ''

  it('cannot be forged, for an account or for none', async () => {
    const of = await limited()
    const other = await of.player('other')
    await of.player('owner')
    const random = generator(1)
    const answers: number[][] = []
    for (const email of [owner.email, 'nobody@papermoon.example']) {
      const forged = () => {
        const visitor = of.visitor()
        const made = Array.from({ length: 38 }, () => 'abcXYZ_-'[random(8)]).join('')
        // A cookie of another account, and a forged one.
        visitor.cookies.set('papermoon_known', `papermoon_known=${getMarks(other)}.${made}`)
        return visitor
      }
      answers.push(await guess(of, email, 31, forged))
      of.passTime(900_000)
    }
    expect(answers).toEqual(new Array(2).fill([...new Array(30).fill(401), 429]))
  })

  it('cannot be read by scripts or other sites', async () => {
    const of = await limited()
    const answer = await of.visitor().post('/api/auth/register', owner)
    const mark = answer.cookies.find(({ name }) => name === 'papermoon_known')
    expect(mark).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
  })

  it('holds the last four accounts that signed in', async () => {
    const of = await limited()
    const browser = of.visitor()
    const family = ['ann', 'bob', 'cid', 'dot', 'eve'].map(registration)
    for (const member of family) await browser.post('/api/auth/register', member)
    expect(getMarks(browser).split('.')).toHaveLength(4)
    const [ann, bob] = family
    for (const member of [ann, bob]) await guess(of, member?.email ?? '', 30)
    expect((await tryAs(browser, bob?.email ?? '', 'secret-1', 9)).statusCode).toBe(200)
    expect((await tryAs(browser, ann?.email ?? '', 'secret-1', 9)).statusCode).toBe(429)
  })
})
