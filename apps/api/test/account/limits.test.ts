import type { LightMyRequestResponse } from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import type { Counted, LimitName } from '../../src/security/rate-limits.ts'
import { confirmWithCode, enableTotp } from '../support/factors/second-factor.ts'
import { solved } from '../support/factors/solve-proof-of-work.ts'
import { createLimitedAccounts } from '../support/limited-accounts.ts'
import { countHashes, errorsIn, registration, type Visitor } from '../support/test-server.ts'

const { server, fromNew, newPlayer } = await createLimitedAccounts()
const { limits } = server.app.accounts
afterAll(() => expect(errorsIn(server)).toEqual([]))

type Headers = Record<string, string>
type Player = Awaited<ReturnType<typeof newPlayer>>
type Call = () => Promise<LightMyRequestResponse>

const toIp = (headers: Headers): string => headers['x-forwarded-for'] ?? ''
/** Returns the part of the cookie that lists the accounts that trust this browser. */
const getMarks = (browser: Visitor) => browser.cookies.get('papermoon_known')?.split('=')[1] ?? ''

/** Counts this many calls of an account, as if they had been made. */
async function spend(limit: LimitName, account: Counted, calls: number): Promise<void> {
  const caller = { ip: '192.0.2.1', header: () => {} }
  for (let i = 0; i < calls; i++) await limits.spendAccount(caller, limit, account)
}

/** Counts this many calls from an IP address, as if they had been made. */
async function spendFor(headers: Headers, purpose: string, calls: number, limit: LimitName = 'attempt'): Promise<void> {
  for (let i = 0; i < calls; i++) await limits.spendFor({ ip: toIp(headers), header: () => {} }, limit, purpose)
}
const spendOf = (headers: Headers, limit: LimitName, calls: number) =>
  limits.spend({ ip: toIp(headers), header: () => {} }, limit, calls)

const login = (email: string, password: string, headers = fromNew(), visitor = server.visitor()) =>
  visitor.post('/api/auth/login', { email, password }, headers)
const forgot = (email: string, headers = fromNew(), visitor = server.visitor()) =>
  visitor.post('/api/auth/forgot-password', { email }, headers)
let registered = 0
const newName = () => `registered-${++registered}`
const register = (headers: Headers, name = newName()) =>
  server.visitor().post('/api/auth/register', registration(name), headers)

/** Repeats a refused call with the solution of its proof-of-work puzzle. */
async function withWork(call: (work: Headers) => Promise<LightMyRequestResponse>): Promise<LightMyRequestResponse> {
  const refused = await call({})
  return refused.statusCode === 429 ? await call(await solved(refused)) : refused
}

interface Limited {
  /** Succeeds once more. The limit rejects the next call. */
  readonly call: Call
  /** Calls that this limit does not count. */
  readonly beside?: readonly Call[]
}

/**
 * Each row: what is limited, the status of the last call within the limit, and a function that makes all calls but that
 * one.
 */
const rows: readonly (readonly [string, number, (player: Player, here: Headers) => Promise<Limited>])[] = [
  [
    '30 wrong logins of an account by strangers; its owner can still sign in with a trusted browser',
    401,
    async ({ email, password, browser }) => {
      await browser.raw('POST', '/api/auth/logout', '')
      await spend('sign-in', `login ${email}`, 29)
      // An email address with other capitals belongs to the same account.
      return {
        call: () => login(email.toUpperCase(), 'wrong-1'),
        beside: [() => login(email, password, fromNew(), browser)],
      }
    },
  ],
  [
    '10 wrong logins in a trusted browser; strangers’ are counted separately',
    401,
    async ({ email, password, browser }) => {
      await spend('attempt', `login ${email} ${getMarks(browser)}`, 9)
      return { call: () => login(email, 'wrong-1', fromNew(), browser), beside: [() => login(email, password)] }
    },
  ],
  [
    '10 wrong logins of an account from one address; other addresses can still try',
    401,
    async ({ email, password }, here) => {
      await spend('attempt', `login ${email} ${toIp(here)}`, 9)
      return { call: () => login(email, 'wrong-1', here), beside: [() => login(email, password)] }
    },
  ],
  [
    '10 wrong recovery codes from one address, which no other limit applies to',
    401,
    async (player, here) => {
      const [sealed, now] = [Buffer.alloc(0), new Date()]
      const row = { user_id: await player.browser.id(), sealed, created_at: now, enabled_at: now, last_step: null }
      await server.db.insertInto('totp_secrets').values(row).execute()
      await spend('attempt', `login ${player.email} ${toIp(here)}`, 9)
      const body = { email: player.email, password: player.password, totp: 'abcde-00001' }
      return { call: () => server.visitor().post('/api/auth/login', body, here) }
    },
  ],
  [
    '30 logins from one address, for all accounts together',
    401,
    async (_player, here) => {
      await spendFor(here, 'login', 29)
      return {
        call: () => login('nobody@x.org', 'wrong-1', here),
        beside: [() => server.visitor().get('/api/site', here)],
      }
    },
  ],
  [
    '20 wrong logins with proof of work from one network; the owner’s other network is not affected',
    401,
    async ({ email, password, browser }) => {
      // The addresses belong to one /48 network, which consists of 65,536 networks of its own.
      let site = 0
      const from = () => ({ 'x-forwarded-for': `2001:db8:7:${++site}::1` })
      await spend('sign-in', `login ${email}`, 30)
      await spend('daily', { key: `login ${email} 2001:db8:7::/48`, most: 20 }, 19)
      const there = fromNew()
      return {
        call: () => withWork((work) => login(email, 'wrong-1', { ...from(), ...work })),
        beside: [
          () => withWork((work) => login(email, password, { ...there, ...work })),
          () => login(email, password, from(), browser),
        ],
      }
    },
  ],
  [
    '10 registrations without proof of work from one address, and 30 with it',
    201,
    async (_player, here) => {
      await spendFor(here, 'register', 9, 'register-free')
      expect((await register(here)).statusCode).toBe(201)
      expect((await register(here)).statusCode).toBe(429)
      await spendOf(here, 'register', 28)
      const call = (name: string) => withWork((work) => register({ ...here, ...work }, name))
      return { call: () => call(newName()) }
    },
  ],
  [
    '20 reset codes of an account for strangers; its owner still gets one with a trusted browser',
    200,
    async ({ email, browser }) => {
      await browser.raw('POST', '/api/auth/logout', '')
      await spend('daily', { key: `forgot ${email}`, most: 20 }, 19)
      return { call: () => forgot(email), beside: [() => forgot(email, fromNew(), browser)] }
    },
  ],
  [
    '20 reset codes of an email that has no account',
    200,
    async () => {
      await spend('daily', { key: 'forgot nobody@papermoon.example', most: 20 }, 19)
      return { call: () => forgot('nobody@papermoon.example') }
    },
  ],
  [
    '10 reset codes in a trusted browser; strangers’ are counted separately',
    200,
    async ({ email, browser }) => {
      await spend('daily', { key: `forgot ${email} ${getMarks(browser)}`, most: 10 }, 9)
      return { call: () => forgot(email, fromNew(), browser), beside: [() => forgot(email)] }
    },
  ],
  [
    '30 requests for reset codes from one address, for all accounts together',
    200,
    async (_player, here) => {
      await spendFor(here, 'forgot-password', 29)
      return { call: () => forgot('sweep@x.org', here) }
    },
  ],
  [
    '5 reset codes of an account with proof of work from one network',
    200,
    async ({ email }, here) => {
      await spend('daily', { key: `forgot ${email} ${toIp(here)}`, most: 4 }, 4)
      await spend('daily', { key: `forgot worked ${email} ${toIp(here)}`, most: 5 }, 4)
      return { call: () => withWork((work) => forgot(email, { ...here, ...work })), beside: [() => forgot(email)] }
    },
  ],
  [
    '30 resets from one address',
    400,
    async (_player, here) => {
      await spendFor(here, 'reset-password', 29)
      const body = { token: '123456', newPassword: 'secret-2' }
      return { call: () => server.visitor().post('/api/auth/reset-password', body, here) }
    },
  ],
  [
    '10 codes of an authenticator app per session; the player’s other sessions have their own limit',
    403,
    async ({ browser: thief, email, password }) => {
      const { app } = await enableTotp(server, thief)
      const owner = server.visitor()
      await owner.post('/api/auth/login', { email, password, totp: app.code() }, fromNew())
      server.passTime(31_000)
      const confirm = (who: Visitor, totp: string) => who.post('/api/account/confirm', { totp }, fromNew())
      for (let i = 0; i < 9; i++) await confirm(thief, app.wrongCode())
      return { call: () => confirm(thief, app.wrongCode()), beside: [() => confirm(owner, app.code())] }
    },
  ],
  [
    '10 wrong passwords per session when confirming; the player’s other sessions have their own limit',
    403,
    async ({ browser: thief, email, password }) => {
      const owner = server.visitor()
      await owner.post('/api/auth/login', { email, password }, fromNew())
      const confirm = (who: Visitor, tried: string) => who.post('/api/account/confirm', { password: tried }, fromNew())
      for (let i = 0; i < 12; i++) await confirm(thief, password)
      for (let i = 0; i < 9; i++) await confirm(thief, 'wrong-1')
      return { call: () => confirm(thief, 'wrong-1'), beside: [() => confirm(owner, password)] }
    },
  ],
  [
    '10 email addresses that a player checks',
    409,
    async (player) => {
      const { email } = await newPlayer()
      await spend('hourly', { key: `change of email ${await player.browser.id()}`, most: 10 }, 9)
      const json = () => ({ 'content-type': 'application/json', ...fromNew() })
      const body = JSON.stringify({ password: player.password, email })
      return { call: () => player.browser.raw('PUT', '/api/account/email', body, json()) }
    },
  ],
  [
    '10 sets of recovery codes of a player in 15 minutes',
    200,
    async (player) => {
      const { app } = await enableTotp(server, player.browser)
      await confirmWithCode(server, player.browser, app)
      // The confirmation counted as the first of ten attempts.
      await spend('attempt', await player.browser.id(), 8)
      return { call: () => player.browser.post('/api/account/recovery-codes', {}, fromNew()) }
    },
  ],
  [
    '20 launches of a player, by session and by key together',
    201,
    async ({ browser }) => {
      const { key } = (await browser.post('/api/keys', { name: 'bot', scopes: ['trade'] }, fromNew())).json()
      await spend('launch', await browser.id(), 18)
      const launch = (headers: Headers) =>
        browser.post('/api/tokens/launch', { name: 'Moon', symbol: 'M' }, { ...fromNew(), ...headers })
      expect((await launch({})).statusCode).toBe(201)
      return { call: () => launch({ authorization: `Bearer ${key}` }) }
    },
  ],
  [
    '40 pictures of a player',
    200,
    async (player) => {
      await spend('upload', await player.browser.id(), 39)
      return { call: () => player.browser.raw('POST', '/api/objects/upload', '', fromNew()) }
    },
  ],
]

describe('are limited', () => {
  it.each(rows)('%s', async (_what, taken, prepare) => {
    const { call, beside = [] } = await prepare(await newPlayer(), fromNew())
    expect((await call()).statusCode).toBe(taken)
    expect((await call()).statusCode).toBe(429)
    for (const other of beside) expect((await other()).statusCode).toBe(200)
  })
})

describe('wrong tries', () => {
  it('are counted before the password is checked, so concurrent tries cannot exceed the limit', async () => {
    const { email, browser } = await newPlayer()
    const answers = await Promise.all(
      Array.from({ length: 15 }, (_, i) => login(email, `wrong-${i}`, fromNew(), browser)),
    )
    const statuses = answers.map(({ statusCode }) => statusCode).sort()
    expect(statuses).toEqual([...new Array(10).fill(401), ...new Array(5).fill(429)])
  })

  it('count, but right passwords do not', async () => {
    const { email, password } = await newPlayer()
    const here = fromNew()
    for (let i = 0; i < 11; i++) expect((await login(email, password, here)).statusCode).toBe(200)
    expect(await limits.count('sign-in', `login ${email}`)).toBe(0)
  })

  it('are counted for all transports together, and each call of a batch counts', async () => {
    const { email, password } = await newPlayer()
    await spend('sign-in', `login ${email}`, 28)
    const overTrpc = (json: object) => server.visitor().post('/trpc/auth.login', { json }, fromNew())
    expect((await login(email, 'wrong-1')).statusCode).toBe(401)
    expect((await overTrpc({ email, password: 'wrong-2' })).statusCode).toBe(401)
    expect([(await login(email, password)).statusCode, (await overTrpc({ email, password })).statusCode]).toEqual([
      429, 429,
    ])
    const input = { json: { email, password } }
    for (const [path, field] of [
      ['auth.login', input],
      ['auth.forgotPassword', {}],
      ['auth.resetPassword', {}],
    ] as const) {
      const batch = await server.visitor().post(`/trpc/${path},${path}?batch=1`, { 0: field, 1: field }, fromNew())
      expect([batch.statusCode, batch.body]).toEqual([400, expect.stringContaining('must be sent alone')])
    }
  })

  it('past the limit get a retry time, and no password is checked', async () => {
    const here = fromNew()
    await spendFor(here, 'login', 30)
    const work = await countHashes(server)
    const refused = await login('c@x.org', 'wrong-1', here)
    const seconds = Number(refused.headers['retry-after'])
    expect(refused.body).toBe(`Too many requests. Please try again in ${seconds} seconds, or send a proof of work now.`)
    expect(seconds > 0 && seconds <= 300).toBe(true)
    expect(refused.headers).toMatchObject({ 'ratelimit-limit': '30', 'ratelimit-remaining': '0' })
    const overTrpc = await server
      .visitor()
      .post('/trpc/auth.login', { json: { email: 'c@x.org', password: 'wrong-1' } }, here)
    expect(overTrpc.headers['retry-after']).toBeDefined()
    expect(await countHashes(server)).toBe(work)
  })
})

describe('reset codes of an account', () => {
  it('are limited to four from one address, with the same responses for an unknown email and with another account’s cookie', async () => {
    const [{ browser: other }, { email }] = [await newPlayer(), await newPlayer()]
    for (const address of [email, 'unknown@papermoon.example']) {
      const here = fromNew()
      const answers = []
      for (let i = 0; i < 5; i++) answers.push(await forgot(address, here, i % 2 === 0 ? other : server.visitor()))
      const seen = answers.map(({ statusCode, headers }) => [
        statusCode,
        headers['ratelimit-limit'],
        headers['ratelimit-remaining'],
      ])
      expect(seen).toEqual([
        [200, '4', '3'],
        [200, '4', '2'],
        [200, '4', '1'],
        [200, '4', '0'],
        [429, '4', '0'],
      ])
      // Refused calls of one address do not count towards the limit that all addresses share.
      expect(await limits.count('daily', { key: `forgot ${address}`, most: 20 })).toBe(4)
    }
  })

  it('require proof of work past the limits, which also lets the owner’s new browser set a password', async () => {
    const { email } = await newPlayer()
    await spend('daily', { key: `forgot ${email}`, most: 20 }, 20)
    const [browser, here] = [server.visitor(), fromNew()]
    const answer = await withWork((work) => forgot(email, { ...here, ...work }, browser))
    const body = { token: answer.json().resetToken, newPassword: 'a-kite-in-may' }
    expect((await browser.post('/api/auth/reset-password', body, here)).statusCode).toBe(200)
  })
})

describe('the cookie of a trusted browser', () => {
  it('cannot be forged, for an account or for none', async () => {
    const [{ browser: other }, { email }] = [await newPlayer(), await newPlayer()]
    for (const address of [email, 'nobody@papermoon.example']) {
      await spend('sign-in', `login ${address}`, 30)
      for (const forged of [getMarks(other), 'abcXYZ_-'.repeat(5).slice(0, 38)]) {
        const visitor = server.visitor()
        visitor.cookies.set('papermoon_known', `papermoon_known=${forged}`)
        expect((await login(address, 'wrong-1', fromNew(), visitor)).statusCode).toBe(429)
      }
    }
  })

  it('contains the last four accounts that signed in', async () => {
    const browser = server.visitor()
    const family = ['ann', 'bob', 'cid', 'dot', 'eve'].map(registration)
    for (const member of family) await browser.post('/api/auth/register', member, fromNew())
    expect(getMarks(browser).split('.')).toHaveLength(4)
    const statuses: number[] = []
    for (const { email, password } of family) {
      await spend('sign-in', `login ${email}`, 30)
      statuses.push((await login(email, password, fromNew(), browser)).statusCode)
    }
    // The cookie no longer contains the first account. Its login counts as a stranger's, so the limit refuses it.
    expect(statuses).toEqual([429, 200, 200, 200, 200])
  })

  it('belongs to the browser that reset the password; earlier browsers are no longer trusted', async () => {
    const { email, browser: old } = await newPlayer()
    const browser = server.visitor()
    const { resetToken: token } = (await forgot(email, fromNew(), browser)).json()
    await browser.post('/api/auth/reset-password', { token, newPassword: 'brand-new' }, fromNew())
    await spend('sign-in', `login ${email}`, 30)
    expect((await login(email, 'brand-new', fromNew(), old)).statusCode).toBe(429)
    expect((await login(email, 'brand-new', fromNew(), browser)).statusCode).toBe(200)
  })
})
