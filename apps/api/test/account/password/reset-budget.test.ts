import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import { toAccountKey } from '../../../src/features/account/password/reset-store.ts'
import { challengeIn, solved } from '../../support/factors/solve-proof-of-work.ts'
import { changeSettings, createLimitedAccounts } from '../../support/limited-accounts.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { errorsIn, registration, Visitor } from '../../support/test-server.ts'
import { waitForLocked } from '../../support/wait.ts'

const BUDGET = 1_000
const DAY_MS = 24 * 3_600_000
type Headers = Record<string, string>

const accounts = await createLimitedAccounts()
const { server } = accounts
const hosts = new Map<number, Headers>()
/** The header of one of the test's own addresses. */
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

/** Records wrong codes tried on any node. */
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
  it('share one budget on all nodes; past it a try requires proof of work, whatever the account and the address', async () => {
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

  it('share the last free try where two come at once', async () => {
    await spend(BUDGET - 1)
    let answers: Promise<{ readonly statusCode: number }[]> = Promise.resolve([])
    await server.db.transaction().execute(async (tx) => {
      await sql`select from shared_budgets for update`.execute(tx)
      answers = Promise.all([1, 2].map((host) => guess(server.visitor(), `twin-${host}@x.org`, from(host))))
      await waitForLocked(server.db, 2)
    })
    expect((await answers).map(({ statusCode }) => statusCode).toSorted()).toEqual([400, 429])
  })

  it('count for strangers who requested the codes themselves, and not if they are right', async () => {
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

  it('count only if a code was checked, so one e-mail with no tries left does not use up the budget', async () => {
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

  it('count the same for an unknown e-mail, which the budget therefore does not reveal', async () => {
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

  it('let the owner reset with proof of work past 15 tries, whoever made them', async () => {
    const { resetToken } = (
      await server.visitor().post('/api/auth/forgot-password', { email: owner.email }, from(2))
    ).json()
    await use15()
    expect((await guessWithWork(from(2), resetToken)).statusCode).toBe(200)
    // A right code does not count towards the limit.
    const counted = { key: `reset ${owner.email} ${Object.values(from(2))}`, most: 5 }
    expect(await server.app.accounts.limits.count('daily', counted)).toBe(0)
  })

  it('are allowed with proof of work up to 5 a day from one network', async () => {
    await use15()
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) statuses.push((await guessWithWork(from(1))).statusCode)
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
    expect((await guessWithWork(from(2))).statusCode).toBe(400)
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

describe('the link of a reset mail', async () => {
  const mails = await startMailServer({})
  const env = { SMTP_URL: mails.url, SHOW_RESET_CODES: 'off', PUBLIC_URL: 'https://moon.example' }
  const mailed = await createLimitedAccounts(env)
  afterAll(async () => {
    expect(errorsIn(mailed.server)).toEqual([])
    await mails.close()
  })
  beforeEach(async () => {
    owner = await mailed.newPlayer()
    expect((await mails.next(owner.email)).source).toContain('Is this your email address?')
    await mailed.server.db.deleteFrom('shared_budgets').execute()
  })

  const visitor = () => mailed.server.visitor()
  const ask = (headers: Headers, email = owner.email) => visitor().post('/api/auth/forgot-password', { email }, headers)

  /** The secret after the link's #, rejoined where the mail wraps lines. */
  async function readLink(): Promise<{ secret: string; source: string }> {
    const { source } = await mails.next(owner.email)
    const text = source.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')
    const link = /https:\/\/moon\.example\/reset-password#([^&\s]+)&email=limited-\d+%40papermoon\.example\s/.exec(text)
    return { secret: link?.[1] ?? '', source: text }
  }

  it('sets a new password once, in any browser, without code and e-mail', async () => {
    await ask(from(1))
    const { secret } = await readLink()
    expect(secret).toMatch(/^[\w-]{43}$/)
    const use = (more: object = {}) =>
      visitor().post('/api/auth/reset-password', { token: secret, newPassword: 'a-kite-in-may', ...more })
    expect((await use({ email: 'somebody-else@x.org' })).statusCode).toBe(400)
    expect((await use()).statusCode).toBe(200)
    expect((await use()).body).toBe('Invalid or expired reset code.')
    const login = { email: owner.email, password: 'a-kite-in-may' }
    expect((await visitor().post('/api/auth/login', login)).statusCode).toBe(200)
  })

  it('is valid for 15 minutes and stored as a hash only', async () => {
    await ask(from(1))
    const { secret } = await readLink()
    const rows = await mailed.server.db.selectFrom('password_resets').selectAll().execute()
    const stored = JSON.stringify(rows.map((row) => ({ ...row, secret_hash: row.secret_hash?.toString('base64url') })))
    expect(stored).not.toContain(secret)
    expect(JSON.stringify(mailed.server.logs)).not.toContain(secret)
    mailed.server.passTime(15 * 60_000)
    expect((await guess(visitor(), owner.email, from(2), secret)).statusCode).toBe(400)
  })

  it('survives wrong codes and has no budget', async () => {
    const browser = visitor()
    await browser.post('/api/auth/forgot-password', { email: owner.email }, from(1))
    const { secret } = await readLink()
    for (let i = 0; i < 6; i++) await guess(browser, owner.email, from(1), '000000')
    for (let i = 0; i < 15; i++) await guess(visitor(), owner.email, from(2), '000000')
    await mailed.server.db.updateTable('shared_budgets').set({ spent: BUDGET }).execute()
    expect((await guess(visitor(), owner.email, from(3), secret)).statusCode).toBe(200)
  })

  it('comes with a code within the limits; past them it comes alone, at most every five minutes', async () => {
    for (let i = 0; i < 20; i++) {
      await ask(from(Math.floor(i / 4)))
      expect((await readLink()).source).toMatch(/Papermoon reset code is [0-9]{6}/)
    }
    const refused = await ask(from(50))
    expect(refused.statusCode).toBe(429)
    // The last link a stranger requested exists and is valid.
    const worked = await ask({ ...from(50), ...(await solved(refused)) })
    expect(worked.json()).toEqual({ message: expect.stringContaining('we have emailed a link') })
    expect(mails.countWaiting(owner.email)).toBe(0)
    mailed.server.passTime(5 * 60_000 + 1)
    const later = await ask({ ...from(51), ...(await solved(await ask(from(51)))) })
    expect(later.json()).toEqual(worked.json())
    const { secret, source } = await readLink()
    expect(source).not.toMatch(/Papermoon reset code is/)
    expect((await guess(visitor(), owner.email, from(52), secret)).statusCode).toBe(200)
  })

  it('past the limits is answered and stored the same for an unknown e-mail', async () => {
    const outcomes: unknown[] = []
    for (const email of [owner.email, 'nobody@papermoon.example']) {
      for (let i = 0; i < 4; i++) await ask(from(1), email)
      mailed.server.passTime(5 * 60_000 + 1)
      const answers = []
      for (let i = 0; i < 2; i++) {
        const answer = await ask({ ...from(1), ...(await solved(await ask(from(1), email))) }, email)
        answers.push([answer.statusCode, answer.body, answer.cookies.map(({ name }) => name)])
      }
      const rows = mailed.server.db.selectFrom('password_resets').where('account_key', '=', toAccountKey(email))
      outcomes.push([
        answers,
        (await rows.select(['code_hash']).orderBy('created_at').execute()).map(({ code_hash }) => code_hash === null),
      ])
    }
    expect(outcomes[0]).toEqual(outcomes[1])
  })

  it('is replaced by its secret as a code without PUBLIC_URL', async () => {
    changeSettings(mailed.server, { publicUrl: null })
    for (let i = 0; i < 4; i++) {
      await ask(from(1))
      expect((await mails.next(owner.email)).source).not.toContain('http')
    }
    mailed.server.passTime(5 * 60_000 + 1)
    await ask({ ...from(1), ...(await solved(await ask(from(1)))) })
    const { source } = await mails.next(owner.email)
    const secret = /Papermoon reset code is ([\w-]{43})/.exec(source.replaceAll(/=\r?\n/g, ''))?.[1] ?? ''
    expect((await guess(visitor(), owner.email, from(2), secret)).statusCode).toBe(200)
  })

  it('and the mail around it contain no text chosen by the account’s owner', async () => {
    const email = 'you@victim.example'
    const advertisement = { ...registration('x'), username: 'Win: https://evil.example', email }
    expect((await visitor().post('/api/auth/register', advertisement, from(2))).statusCode).toBe(201)
    await mails.next(email)
    await ask(from(1), email)
    const { source } = await mails.next(email)
    expect(source).not.toMatch(/evil|Win/)
  })
})
