import { describe, expect, it } from 'vitest'
import { createLimitedAccounts } from '../../support/limited-accounts.ts'
import { openSocket, registration, type Visitor } from '../../support/test-server.ts'

const { server, fromNew, newPlayer } = await createLimitedAccounts()

function tryAs(visitor: Visitor, email: string, password: string, headers = fromNew()) {
  return visitor.post('/api/auth/login', { email, password }, headers)
}

/** Sends wrong passwords for an account from new addresses, at most ten from each; returns the statuses. */
async function guess(email: string, count: number, visitor = () => server.visitor()): Promise<number[]> {
  const statuses: number[] = []
  let here = fromNew()
  for (let i = 0; i < count; i++) {
    if (i % 10 === 0) here = fromNew()
    statuses.push((await tryAs(visitor(), email, `wrong-${i}`, here)).statusCode)
  }
  return statuses
}

describe('logins of an account', () => {
  it('are counted only when they are wrong', async () => {
    const { email, password } = await newPlayer()
    const statuses: number[] = []
    for (let i = 0; i < 40; i++) statuses.push((await tryAs(server.visitor(), email, password)).statusCode)
    expect(statuses).toEqual(new Array(40).fill(200))
  })

  it('are limited to 30 wrong ones for strangers, and the owner still logs in from a trusted browser', async () => {
    const { email, password, browser } = await newPlayer()
    await browser.raw('POST', '/api/auth/logout', '')
    expect(await guess(email, 31)).toEqual([...new Array(30).fill(401), 429])
    expect((await tryAs(server.visitor(), email, password)).statusCode).toBe(429)
    expect((await tryAs(browser, email, password)).statusCode).toBe(200)
  })

  it('are limited to 10 wrong ones for a trusted browser, also concurrently, and strangers’ are counted separately', async () => {
    const { email, password, browser } = await newPlayer()
    const answers = await Promise.all(Array.from({ length: 15 }, (_, i) => tryAs(browser, email, `wrong-${i}`)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([
      ...new Array(10).fill(401),
      ...new Array(5).fill(429),
    ])
    expect((await tryAs(server.visitor(), email, password)).statusCode).toBe(200)
  })

  it('are limited to 10 wrong ones from one address without affecting other addresses', async () => {
    const { email, password } = await newPlayer()
    const [here, statuses] = [fromNew(), [] as number[]]
    for (let i = 0; i < 12; i++) statuses.push((await tryAs(server.visitor(), email, `wrong-${i}`, here)).statusCode)
    expect(statuses).toEqual([...new Array(10).fill(401), 429, 429])
    expect((await tryAs(server.visitor(), email, password)).statusCode).toBe(200)
  })

  it('count wrong recovery codes too, which no other limit bounds', async () => {
    const { email, password, browser } = await newPlayer()
    const { id } = (await browser.get('/api/auth/user')).json()
    const [sealed, now] = [Buffer.alloc(0), new Date()]
    const row = { user_id: id, sealed, created_at: now, enabled_at: now, last_step: null }
    await server.db.insertInto('totp_secrets').values(row).execute()
    const [here, statuses] = [fromNew(), [] as number[]]
    for (let i = 0; i < 11; i++) {
      const body = { email, password, totp: `abcde-0000${i % 10}` }
      statuses.push((await server.visitor().post('/api/auth/login', body, here)).statusCode)
    }
    expect(statuses).toEqual([...new Array(10).fill(401), 429])
  })

  it('are limited over all transports together, and not evaded by batches', async () => {
    const { email, password } = await newPlayer()
    const statuses: number[] = []
    let here = fromNew()
    for (let i = 0; i < 32; i++) {
      if (i % 8 === 0) here = fromNew()
      const body = { email, password: `wrong-${i}` }
      const answer =
        i % 2 === 0
          ? await server.visitor().post('/api/auth/login', body, here)
          : await server.visitor().post('/trpc/auth.login', { json: body }, here)
      statuses.push(answer.statusCode)
    }
    expect(statuses).toEqual([...new Array(30).fill(401), 429, 429])
    const input = { json: { email, password } }
    const batched = await server.visitor().post('/trpc/auth.login,auth.login?batch=1', { 0: input, 1: input }, here)
    expect(batched.statusCode).toBe(400)
    const socket = await openSocket(`ws://127.0.0.1:${await server.listen()}/trpc`)
    socket.send({ id: 1, method: 'mutation', params: { path: 'auth.login', input } })
    expect(await socket.next()).toMatchObject({ error: { json: { data: { reason: 'BAD_INPUT' } } } })
    socket.socket.close()
  })

  it('are trusted again in the browser that reset the password, and in no earlier one', async () => {
    const { email, browser: old } = await newPlayer()
    const browser = server.visitor()
    const { resetToken: token } = (await browser.post('/api/auth/forgot-password', { email }, fromNew())).json()
    await browser.post('/api/auth/reset-password', { token, newPassword: 'brand-new' }, fromNew())
    await guess(email, 31)
    expect((await tryAs(old, email, 'brand-new')).statusCode).toBe(429)
    expect((await tryAs(browser, email, 'brand-new')).statusCode).toBe(200)
  })
})

describe('the cookie of a trusted browser', () => {
  const getMarks = (browser: Visitor) => browser.cookies.get('papermoon_known')?.split('=')[1] ?? ''

  it('cannot be forged, for an account or for none', async () => {
    const [{ browser: other }, { email }] = [await newPlayer(), await newPlayer()]
    for (const address of [email, 'nobody@papermoon.example']) {
      let made = 0
      const forged = () => {
        const visitor = server.visitor()
        // A cookie of another account, and a forged one.
        const mark = `${getMarks(other)}.${String(++made).padStart(38, 'abcXYZ_-')}`
        visitor.cookies.set('papermoon_known', `papermoon_known=${mark}`)
        return visitor
      }
      expect(await guess(address, 31, forged)).toEqual([...new Array(30).fill(401), 429])
    }
  })

  it('holds the last four accounts that signed in', async () => {
    const browser = server.visitor()
    const [ann, bob, ...others] = ['ann', 'bob', 'cid', 'dot', 'eve'].map(registration)
    if (ann === undefined || bob === undefined) throw new Error('a family has two')
    for (const member of [ann, bob, ...others]) await browser.post('/api/auth/register', member, fromNew())
    expect(getMarks(browser).split('.')).toHaveLength(4)
    for (const { email } of [ann, bob]) await guess(email, 30)
    expect((await tryAs(browser, bob.email, 'secret-1')).statusCode).toBe(200)
    expect((await tryAs(browser, ann.email, 'secret-1')).statusCode).toBe(429)
  })
})
