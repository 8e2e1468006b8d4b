import { systemClock, systemTimers } from '@papermoon/engine'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import { deleteOldRows } from '../../../src/delete-old-rows.ts'
import { toNetworkKey } from '../../../src/security/client-address.ts'
import { createProofOfWork, spendBudget, type WorkTask } from '../../../src/security/proof-of-work/proof-of-work.ts'
import type { LimitName } from '../../../src/security/rate-limits.ts'
import { createSecurityLog } from '../../../src/security/security-log.ts'
import { challengeIn, encoded, solved } from '../../support/factors/solve-proof-of-work.ts'
import { changeSettings, createLimitedAccounts } from '../../support/limited-accounts.ts'
import { errorsIn } from '../../support/test-server.ts'

const { server, fromNew, newPlayer } = await createLimitedAccounts()
afterAll(() => expect(errorsIn(server)).toEqual([]))

type Headers = Record<string, string>

const signIn = (email: string, password: string, headers: Headers, visitor = server.visitor()) =>
  visitor.post('/api/auth/login', { email, password }, headers)

/** Repeats a refused call with the solution of its puzzle. */
async function withWork(call: (headers: Headers) => Promise<LightMyRequestResponse>): Promise<LightMyRequestResponse> {
  const refused = await call({})
  expect(refused.statusCode).toBe(429)
  return await call(await solved(refused))
}

/** Makes a limit count this many calls of an account, without making the calls. */
async function spend(limit: LimitName, account: string, calls: number): Promise<void> {
  const caller = { ip: '192.0.2.1', header: () => {} }
  for (let i = 0; i < calls; i++) await server.app.accounts.limits.spendAccount(caller, limit, account)
}

/** Counts 30 wrong passwords of an account, so that it requires proof of work. */
const besiege = (email: string) => spend('sign-in', `login ${email}`, 30)

/** Returns a player whose account requires proof of work. */
async function besieged() {
  const owner = await newPlayer()
  await besiege(owner.email)
  return owner
}

describe('a login past the limits', () => {
  it('is 429 with a puzzle in the body and in a header, for every kind of client, and 200 with the solution', async () => {
    const { email, password } = await besieged()
    const here = fromNew()
    const asText = await signIn(email, password, here)
    expect([asText.statusCode, asText.headers['content-type']]).toEqual([429, 'text/plain; charset=utf-8'])
    expect(asText.body).toMatch(/^Too many requests\. Please try again in \d+ seconds, or send a proof of work now\.$/)
    const asJson = await signIn(email, password, { ...here, accept: 'application/json' })
    expect(asJson.json()).toMatchObject({ code: 'PROOF_OF_WORK_NEEDED', retryAfterS: expect.any(Number) })
    expect(asJson.json().challenge).toEqual(challengeIn(asJson))
    const callOverTrpc = (more: Headers = {}) =>
      server.visitor().post('/trpc/auth.login', { json: { email, password } }, { ...here, ...more })
    const overTrpc = await callOverTrpc()
    const { data } = overTrpc.json().error.json
    expect([overTrpc.statusCode, data.reason, data.challenge]).toEqual([
      429,
      'PROOF_OF_WORK_NEEDED',
      challengeIn(overTrpc),
    ])
    expect((await callOverTrpc(await solved(overTrpc))).statusCode).toBe(200)
  })

  it('gets the same responses and puzzles for an email without an account', async () => {
    const email = 'nobody@papermoon.example'
    await besiege(email)
    const here = fromNew()
    const answer = await withWork((more) => signIn(email, 'wrong-1', { ...here, ...more }))
    expect([answer.statusCode, answer.body]).toEqual([401, 'Invalid credentials.'])
  })

  it('gets a harder puzzle the more often puzzles were solved, up to a limit', async () => {
    const { email } = await besieged()
    const levels: number[] = []
    for (const worked of [0, 1, 0, 5, 0, 90]) {
      await spend('hourly', `work login account ${email}`, worked)
      const here = fromNew()
      const refused = await signIn(email, 'wrong-1', here)
      levels.push(challengeIn(refused).parameters.data.level)
      await signIn(email, 'wrong-1', { ...here, ...(await solved(refused)) })
    }
    // The levels are those after 0, 2, 3, 9, 10 and 101 tries with proof of work.
    expect(levels).toEqual([0, 0, 1, 1, 2, 2])
  })
})

describe('the solution of a puzzle', () => {
  /** Makes a login of an account's owner that is refused. Returns the login, and the header that solves its puzzle. */
  async function refusedLogin() {
    const { email, password } = await besieged()
    const here = fromNew()
    const refused = await signIn(email, password, here)
    const proof = await solved(refused)
    const use = (more: Headers = proof) => signIn(email, password, { ...here, ...more })
    return { challenge: challengeIn(refused), email, password, here, proof, use }
  }
  const challengedAgain = { statusCode: 429, challenged: true }
  const outcome = ({ statusCode, headers }: LightMyRequestResponse) => ({
    statusCode,
    challenged: headers['proof-of-work-challenge'] !== undefined,
  })

  it('is valid once, even for concurrent calls', async () => {
    const { use } = await refusedLogin()
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => use()))).map(({ statusCode }) => statusCode)
    expect(statuses.sort()).toEqual([200, ...new Array(7).fill(429)])
    expect(outcome(await use())).toEqual(challengedAgain)
  })

  it('is valid for one account, one procedure and one network', async () => {
    const { email, password, here, proof, use } = await refusedLogin()
    const other = 'other@papermoon.example'
    await besiege(other)
    expect(outcome(await signIn(other, 'wrong-1', { ...here, ...proof }))).toEqual(challengedAgain)
    expect(outcome(await signIn(email, password, { ...fromNew(), ...proof }))).toEqual(challengedAgain)
    const ask = (more: Headers = {}) =>
      server.visitor().post('/api/auth/forgot-password', { email }, { ...here, ...more })
    for (let i = 0; i < 4; i++) await ask()
    expect(outcome(await ask(proof))).toEqual(challengedAgain)
    // The failed uses above did not use up the solution.
    expect((await use()).statusCode).toBe(200)
  })

  it('is valid for five minutes', async () => {
    const { use } = await refusedLogin()
    server.passTime(300_001)
    expect(outcome(await use())).toEqual(challengedAgain)
  })

  it('is rejected if the puzzle was changed or forged, or the counter guessed', async () => {
    const { challenge, proof, use } = await refusedLogin()
    const { parameters, signature } = challenge
    const { solution } = JSON.parse(Buffer.from(proof['proof-of-work'], 'base64url').toString())
    const forged = [
      encoded({
        challenge: { parameters: { ...parameters, expiresAt: parameters.expiresAt + 9 }, signature },
        solution,
      }),
      encoded({ challenge: { parameters: { ...parameters, keyPrefix: '0'.repeat(32) }, signature }, solution }),
      encoded({ challenge, solution: { ...solution, counter: solution.counter + 1 } }),
      encoded({ challenge, solution: { ...solution, derivedKey: '0'.repeat(64) } }),
      encoded({ challenge: { parameters, signature: '0'.repeat(64) }, solution }),
      encoded({ challenge }),
      encoded(null),
      { 'proof-of-work': 'x'.repeat(5_000) },
      { 'proof-of-work': '!' },
    ]
    for (const header of forged) expect(outcome(await use(header))).toEqual(challengedAgain)
    expect((await use()).statusCode).toBe(200)
  })

  it('is ignored if no proof of work is required', async () => {
    const { email, password } = await newPlayer()
    const answer = await signIn(email, password, { ...fromNew(), 'proof-of-work': 'nonsense' })
    expect(answer.statusCode).toBe(200)
  })

  it('uses a fast algorithm for scripts on an insecure page, and a slow one on a secure page', async () => {
    const { email } = await besieged()
    const algorithm = async (headers: Headers) =>
      challengeIn(await signIn(email, 'wrong-1', { ...fromNew(), ...headers })).parameters.algorithm
    expect(await algorithm({ host: 'localhost' })).toBe('PBKDF2/SHA-256')
    expect(await algorithm({ host: '192.168.0.7:3000' })).toBe('SHA-256')
    expect(await algorithm({ host: 'moon.example', 'x-forwarded-proto': 'https' })).toBe('PBKDF2/SHA-256')
    changeSettings(server, { publicUrl: 'https://moon.example' })
    expect(await algorithm({ host: '192.168.0.7' })).toBe('PBKDF2/SHA-256')
  })
})

describe('puzzles of several nodes', () => {
  const task: WorkTask = { purpose: 'login', subject: 'somebody', level: 0, isSecureContext: true }
  const answerTo = async (challenge: unknown) => {
    const header = Buffer.from(JSON.stringify(challenge)).toString('base64url')
    return (await solved({ headers: { 'proof-of-work-challenge': header } }))['proof-of-work']
  }

  it('can be redeemed at any node, but only once in total', async () => {
    const clock = { now: () => new Date() }
    const nodes = await Promise.all([1, 2].map(() => createProofOfWork({ db: server.db, clock })))
    const [one, two] = nodes
    const answer = await answerTo(await one?.challenge(task))
    const redeemed = await Promise.all([
      two?.redeem(answer, task),
      one?.redeem(answer, task),
      two?.redeem(answer, task),
    ])
    expect(redeemed.filter((isGood) => isGood)).toHaveLength(1)
  })

  it('are solved by a random counter up to the limit of their level', async () => {
    const proofOfWork = await createProofOfWork({ db: server.db, clock: { now: () => new Date() } })
    const counters: number[] = []
    for (let i = 0; i < 10; i++) {
      const answer = await answerTo(await proofOfWork.challenge(task))
      counters.push(JSON.parse(Buffer.from(answer, 'base64url').toString()).solution.counter)
    }
    // The chance that all ten counters are in the first tenth is one in ten billion.
    expect(Math.max(...counters)).toBeGreaterThan(30)
    expect(Math.max(...counters)).toBeLessThanOrEqual(300)
  })

  it('are valid at their level or below', async () => {
    const { proofOfWork } = server.app.accounts
    const cheap = await answerTo(await proofOfWork.challenge(task))
    expect(await proofOfWork.redeem(cheap, { ...task, level: 1 })).toBe(false)
    const dear = await answerTo(await proofOfWork.challenge({ ...task, level: 1 }))
    expect(await proofOfWork.redeem(dear, task)).toBe(true)
  })

  it('of an insecure page are not valid on a secure page', async () => {
    const { proofOfWork } = server.app.accounts
    const quick = await answerTo(await proofOfWork.challenge({ ...task, isSecureContext: false }))
    expect(await proofOfWork.redeem(quick, task)).toBe(false)
    expect(await proofOfWork.redeem(quick, { ...task, isSecureContext: false })).toBe(true)
  })

  it('store one row each until they expire, and their key is never logged', async () => {
    const { proofOfWork } = server.app.accounts
    await proofOfWork.redeem(await answerTo(await proofOfWork.challenge(task)), task)
    const rows = async () => (await server.db.selectFrom('spent_proofs').selectAll().execute()).length
    const now = server.app.platform.clock.now()
    await deleteOldRows(server.db, now)
    expect(await rows()).toBeGreaterThan(0)
    await deleteOldRows(server.db, new Date(now.getTime() + 301_000))
    expect(await rows()).toBe(0)
    const { key } = await server.db
      .selectFrom('server_keys')
      .select('key')
      .where('name', '=', 'proof of work')
      .executeTakeFirstOrThrow()
    expect(key).toHaveLength(32)
    const logged = JSON.stringify(server.logs)
    for (const encoding of ['hex', 'base64', 'base64url'] as const) expect(logged).not.toContain(key.toString(encoding))
  })
})

describe('a shared budget', () => {
  it('never becomes negative, however much is refunded', async () => {
    const spend = (amount: number) => spendBudget(server.db, { name: 'tries', lengthMs: 60_000, amount }, new Date())
    expect([await spend(1), await spend(-5), await spend(2)]).toEqual([1, 0, 2])
  })
})

describe('the security log', () => {
  it('contains calls past limits that protect accounts, and not those of the market', () => {
    const kinds: string[] = []
    const warn = ({ kind }: { readonly kind: string }) => kinds.push(kind)
    const securityLog = createSecurityLog({ log: { info: warn, warn }, clock: systemClock, timers: systemTimers })
    const log = (limit: LimitName) => securityLog.attempt({ ip: '192.0.2.1', code: 'RATE_LIMITED', path: '/', limit })
    for (const limit of ['read', 'write', 'launch', 'upload'] as const) log(limit)
    expect(kinds).toEqual([])
    log('attempt')
    expect(kinds).toEqual(['rate_limited'])
  })
})

describe('networkKey', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:db8:1:ffff::9', '2001:db8:1::/48'],
    ['2001:db8:2:2::9', '2001:db8:2::/48'],
    ['::1', '0:0:0::/48'],
  ])('counts %s as %s', (ip, key) => {
    expect(toNetworkKey(ip)).toBe(key)
  })
})
