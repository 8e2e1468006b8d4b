import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import { challengeIn, solved } from '../../support/factors/solve-proof-of-work.ts'
import { changeSettings, createLimitedAccounts } from '../../support/limited-accounts.ts'
import { errorsIn, Visitor } from '../../support/test-server.ts'
import { waitForLocked } from '../../support/wait.ts'

const BUDGET = 1_000
const DAY_MS = 24 * 3_600_000
type Headers = Record<string, string>

const accounts = await createLimitedAccounts()
const { server } = accounts
const hosts = new Map<number, Headers>()
/** Returns the header that sends a request from one of the test's own IP addresses. */
function from(host: number): Headers {
  const header = hosts.get(host) ?? accounts.fromNew()
  hosts.set(host, header)
  return header
}

let owner: Awaited<ReturnType<typeof accounts.newPlayer>>
let logged: number
beforeEach(async () => {
  hosts.clear()
  logged = server.logs.length
  owner = await accounts.newPlayer()
  await server.db.deleteFrom('shared_budgets').execute()
})
afterAll(() => expect(errorsIn(server)).toEqual([]))

/** Records wrong codes, as if they had been tried on any node. */
async function spend(tries: number): Promise<void> {
  const now = server.app.platform.clock.now()
  await server.db.insertInto('shared_budgets').values({ name: 'reset codes', began_at: now, spent: tries }).execute()
}

const spent = async () => (await server.db.selectFrom('shared_budgets').select('spent').executeTakeFirst())?.spent ?? 0

const guess = (visitor: Visitor, email: string, headers: Headers, token = '123456') =>
  visitor.post('/api/auth/reset-password', { token, newPassword: 'a-kite-in-may', email }, headers)

const sprayed = () =>
  server.logs
    .slice(logged)
    .filter((line) => Object(line).kind === 'reset_codes_sprayed' && Object(line).security === true)

describe('reset codes tried at many accounts', () => {
  it('share one budget on all nodes; past it each try requires proof of work, for all accounts and addresses', async () => {
    const { app, fastify } = await buildApp({ ...server.app.platform, database: server.database })
    onTestFinished(() => fastify.close())
    expect(app).not.toBe(server.app)
    const nodes = [server.visitor(), new Visitor(fastify)] as const
    await spend(BUDGET - 4)
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) {
      statuses.push((await guess(nodes[i % 2] ?? nodes[0], `victim-${i}@x.org`, from(i))).statusCode)
    }
    expect(statuses).toEqual([400, 400, 400, 400, 429, 429])
  })

  it('share the last free try if two come at the same time', async () => {
    await spend(BUDGET - 1)
    let answers: Promise<{ readonly statusCode: number }[]> = Promise.resolve([])
    await server.db.transaction().execute(async (tx) => {
      await sql`select from shared_budgets for update`.execute(tx)
      answers = Promise.all([1, 2].map((host) => guess(server.visitor(), `twin-${host}@x.org`, from(host))))
      await waitForLocked(server.db, 2)
    })
    expect((await answers).map(({ statusCode }) => statusCode).toSorted()).toEqual([400, 429])
  })

  it('count if strangers requested the codes themselves, and do not count if they are right', async () => {
    const browser = server.visitor()
    const { resetToken: code } = (
      await browser.post('/api/auth/forgot-password', { email: owner.email }, from(1))
    ).json()
    const another = code === '123456' ? '654321' : '123456'
    const reset = (token: string) =>
      browser.post('/api/auth/reset-password', { token, newPassword: 'a-kite-in-may' }, from(1))
    expect((await reset(another)).statusCode).toBe(400)
    expect(await spent()).toBe(1)
    expect((await reset(code)).statusCode).toBe(200)
    expect(await spent()).toBe(1)
  })

  it('are allowed with proof of work, up to 100 a day from one network', async () => {
    await spend(BUDGET)
    const refused = await guess(server.visitor(), owner.email, from(1))
    expect(challengeIn(refused).parameters.data.purpose).toBe('reset-password')
    expect((await guess(server.visitor(), owner.email, { ...from(1), ...(await solved(refused)) })).statusCode).toBe(
      400,
    )
    const [network = ''] = Object.values(from(1))
    const caller = { ip: network, header: () => {} }
    const counted = { key: `reset ${network}`, most: 100 }
    for (let i = 0; i < 99; i++) await server.app.accounts.limits.spendAccount(caller, 'daily', counted)
    const last = await guess(server.visitor(), owner.email, from(1))
    const answer = await guess(server.visitor(), owner.email, { ...from(1), ...(await solved(last)) })
    expect([answer.statusCode, answer.headers['proof-of-work-challenge']]).toEqual([429, undefined])
  })

  it('let the owner reset with proof of work, in the requesting browser and in another', async () => {
    await spend(BUDGET)
    for (const browser of ['the same', 'another']) {
      const asking = server.visitor()
      const { resetToken } = (await asking.post('/api/auth/forgot-password', { email: owner.email }, from(1))).json()
      const using = browser === 'another' ? server.visitor() : asking
      const refused = await guess(using, owner.email, from(1), resetToken)
      expect(refused.statusCode).toBe(429)
      const answer = await guess(using, owner.email, { ...from(1), ...(await solved(refused)) }, resetToken)
      expect(answer.statusCode).toBe(200)
    }
  })

  it('are logged in one line, however many follow, and the budget is full again a day later', async () => {
    await spend(BUDGET - 2)
    expect((await guess(server.visitor(), owner.email, from(1))).statusCode).toBe(400)
    expect(sprayed()).toEqual([])
    expect((await guess(server.visitor(), owner.email, from(1))).statusCode).toBe(400)
    expect(sprayed()).toHaveLength(1)
    for (let i = 0; i < 5; i++) {
      const refused = await guess(server.visitor(), `victim-${i}@x.org`, from(1))
      await guess(server.visitor(), `victim-${i}@x.org`, { ...from(1), ...(await solved(refused)) })
    }
    expect(sprayed()).toMatchObject([{ level: 40, userId: null, detail: { tries: BUDGET, hours: 24 } }])
    server.passTime(DAY_MS + 1)
    expect((await guess(server.visitor(), 'another@x.org', from(1))).statusCode).toBe(400)
    expect(await spent()).toBe(1)
  })

  it('count only if a code was checked, so one email with no tries left does not use up the budget', async () => {
    for (let i = 0; i < 15; i++) expect((await guess(server.visitor(), owner.email, from(1))).statusCode).toBe(400)
    expect(await spent()).toBe(15)
    await server.db
      .updateTable('shared_budgets')
      .set({ spent: BUDGET - 1 })
      .execute()
    for (let i = 0; i < 3; i++) expect((await guess(server.visitor(), owner.email, from(1))).statusCode).toBe(429)
    expect(await spent()).toBe(BUDGET - 1)
    expect(sprayed()).toEqual([])
  })

  it('count the same for an unknown email, so the budget does not reveal accounts', async () => {
    const counts: number[] = []
    for (const [host, email] of [owner.email, 'nobody@papermoon.example'].entries()) {
      const before = await spent()
      for (let i = 0; i < 17; i++) await guess(server.visitor(), email, from(host))
      counts.push((await spent()) - before)
    }
    expect(counts).toEqual([15, 15])
  })

  it('are not counted with RATE_LIMIT=off', async () => {
    changeSettings(server, { rateLimit: false })
    await spend(BUDGET)
    expect((await guess(server.visitor(), owner.email, from(1))).statusCode).toBe(400)
    expect(await spent()).toBe(BUDGET)
  })
})

describe('reset codes tried at one account in browsers that did not request them', () => {
  const guessWithWork = async (headers: Headers, token?: string) => {
    const refused = await guess(server.visitor(), owner.email, headers, token)
    expect([refused.statusCode, challengeIn(refused).parameters.data.purpose]).toEqual([429, 'reset-password'])
    return await guess(server.visitor(), owner.email, { ...headers, ...(await solved(refused)) }, token)
  }
  const use15 = async () => {
    for (let i = 0; i < 15; i++) await guess(server.visitor(), owner.email, from(1))
  }

  it('are allowed with proof of work up to 5 a day from one network, and a right one counts for none', async () => {
    const asked = await server.visitor().post('/api/auth/forgot-password', { email: owner.email }, from(2))
    await use15()
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) statuses.push((await guessWithWork(from(1))).statusCode)
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
    expect((await guessWithWork(from(2), asked.json().resetToken)).statusCode).toBe(200)
    const counted = { key: `reset ${owner.email} ${Object.values(from(2))}`, most: 5 }
    expect(await server.app.accounts.limits.count('daily', counted)).toBe(0)
  })

  it('are allowed with proof of work up to 100 a day from all networks', async () => {
    await use15()
    await sql`
      update password_reset_guesses
         set guessed_at = guessed_at || array_fill(${server.app.platform.clock.now()}::timestamptz, array[99])`.execute(
      server.app.platform.db,
    )
    expect((await guessWithWork(from(1))).statusCode).toBe(400)
    expect((await guessWithWork(from(2))).statusCode).toBe(429)
  })
})
