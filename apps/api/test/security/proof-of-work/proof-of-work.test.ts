import type { LightMyRequestResponse } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { toNetworkKey } from '../../../src/security/client-address.ts'
import { createProofOfWork, type WorkTask } from '../../../src/security/proof-of-work/proof-of-work.ts'
import { deleteExpiredProofs } from '../../../src/security/proof-of-work/store.ts'
import { challengeIn, encoded, solved } from '../../support/factors/solve-proof-of-work.ts'
import { createTestServer, errorsIn, registration, type TestServer, type Visitor } from '../../support/test-server.ts'

let server: TestServer | undefined
afterEach(async () => {
  if (server !== undefined) expect(errorsIn(server)).toEqual([])
  await server?.close()
  server = undefined
})

type More = Pick<NonNullable<Parameters<typeof createTestServer>[0]>, 'drawCounter'>

async function limited(env: Record<string, string> = {}, more: More = {}): Promise<TestServer> {
  server = await createTestServer({
    hasJobs: false,
    env: { RATE_LIMIT: 'on', TRUST_PROXY: 'loopback', SHOW_RESET_CODES: 'on', ...env },
    ...more,
  })
  return server
}

const owner = registration('owner')
type Headers = Record<string, string>
const from = (address: string): Headers => ({ 'x-forwarded-for': address })
const stranger = (host: number) => from(`198.51.100.${host}`)

const signIn = (visitor: Visitor, password: string, headers: Headers, email = owner.email) =>
  visitor.post('/api/auth/login', { email, password }, headers)

/** The same call again, with the answer to its puzzle. */
async function withWork(call: (headers: Headers) => Promise<LightMyRequestResponse>): Promise<LightMyRequestResponse> {
  const refused = await call({})
  expect(refused.statusCode).toBe(429)
  return await call(await solved(refused))
}

/** Strangers use up what wrong passwords an account takes without work. */
async function besiege(of: TestServer): Promise<void> {
  for (let i = 0; i < 30; i++) await signIn(of.visitor(), `wrong-${i}`, stranger(Math.floor(i / 10)))
}

describe('a login past the limits', () => {
  it('is 429 with a puzzle in the body and in a header, for every kind of client', async () => {
    const of = await limited()
    await of.player('owner')
    await besiege(of)
    const asText = await signIn(of.visitor(), owner.password, from('203.0.113.1'))
    expect([asText.statusCode, asText.headers['content-type']]).toEqual([429, 'text/plain; charset=utf-8'])
    expect(asText.body).toMatch(
      /^Too many requests\. Please try again in \d+ seconds, or at once with a proof of work\.$/,
    )
    const json = { accept: 'application/json' }
    const asJson = await signIn(of.visitor(), owner.password, { ...from('203.0.113.1'), ...json })
    expect(asJson.json()).toMatchObject({ code: 'PROOF_OF_WORK_NEEDED', retryAfterS: expect.any(Number) })
    expect(asJson.json().challenge).toEqual(challengeIn(asJson))
    const { email, password } = owner
    const overTrpc = await of.visitor().post('/trpc/auth.login', { json: { email, password } }, from('203.0.113.1'))
    const { data } = overTrpc.json().error.json
    expect([overTrpc.statusCode, data.reason, data.challenge]).toEqual([
      429,
      'PROOF_OF_WORK_NEEDED',
      challengeIn(overTrpc),
    ])
  })

  it('lets the owner in with the answer, in a new browser, over REST and tRPC', async () => {
    const of = await limited({}, { drawCounter: null })
    await of.player('owner')
    await besiege(of)
    const overRest = await withWork((more) => signIn(of.visitor(), owner.password, { ...from('203.0.113.1'), ...more }))
    expect(overRest.statusCode).toBe(200)
    const { email, password } = owner
    const overTrpc = await withWork((more) =>
      of.visitor().post('/trpc/auth.login', { json: { email, password } }, { ...from('203.0.113.2'), ...more }),
    )
    expect(overTrpc.statusCode).toBe(200)
  })

  it('lets a wrong password in no more than before, and says so', async () => {
    const of = await limited()
    await of.player('owner')
    await besiege(of)
    const answer = await withWork((more) => signIn(of.visitor(), 'wrong-99', { ...from('203.0.113.1'), ...more }))
    expect([answer.statusCode, answer.body]).toEqual([401, 'Invalid credentials.'])
  })

  it('needs work where an address has used up its own tries, at whatever account', async () => {
    const of = await limited()
    await of.player('owner')
    for (let i = 0; i < 30; i++) await signIn(of.visitor(), 'wrong-1', stranger(1), `somebody-${i}@x.org`)
    const answer = await withWork((more) => signIn(of.visitor(), owner.password, { ...stranger(1), ...more }))
    expect(answer.statusCode).toBe(200)
  })

  it('is asked alike, and worked for alike, where nobody has the e-mail', async () => {
    const of = await limited()
    const email = 'nobody@papermoon.example'
    for (let i = 0; i < 30; i++) await signIn(of.visitor(), 'wrong-1', stranger(Math.floor(i / 10)), email)
    const answer = await withWork((more) => signIn(of.visitor(), 'wrong-1', { ...from('203.0.113.1'), ...more }, email))
    expect([answer.statusCode, answer.body]).toEqual([401, 'Invalid credentials.'])
  })

  it('stays bounded with work: 20 wrong ones a day from one network, and the owner elsewhere is none of them', async () => {
    const of = await limited()
    const browser = await of.player('owner')
    await besiege(of)
    const statuses: number[] = []
    for (let i = 0; i < 21; i++) {
      const answer = await withWork((more) =>
        // Addresses of one site: it has 65,536 networks of its own.
        signIn(of.visitor(), `wrong-${i}`, { ...from(`2001:db8:7:${i}::1`), ...more }),
      )
      statuses.push(answer.statusCode)
    }
    expect(statuses).toEqual([...new Array(20).fill(401), 429])
    const again = await signIn(of.visitor(), 'wrong-99', from('2001:db8:7:99::1'))
    const refused = await signIn(of.visitor(), owner.password, {
      ...from('2001:db8:7:99::1'),
      ...(await solved(again)),
    })
    expect([refused.statusCode, refused.headers['proof-of-work-challenge']]).toEqual([429, undefined])
    const elsewhere = await withWork((more) =>
      signIn(of.visitor(), owner.password, { ...from('203.0.113.9'), ...more }),
    )
    expect(elsewhere.statusCode).toBe(200)
    expect((await signIn(browser, owner.password, from('2001:db8:7:99::1'))).statusCode).toBe(200)
  }, 240_000)

  it('costs more the more often it is worked for, up to a bound', async () => {
    const of = await limited()
    await of.player('owner')
    await besiege(of)
    const levels: number[] = []
    for (let i = 0; i < 12; i++) {
      const refused = await signIn(of.visitor(), `wrong-${i}`, from(`203.0.113.${i}`))
      levels.push(challengeIn(refused).parameters.data.level)
      await signIn(of.visitor(), `wrong-${i}`, { ...from(`203.0.113.${i}`), ...(await solved(refused)) })
    }
    expect(levels).toEqual([0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 2])
  }, 240_000)
})

describe('the answer to a puzzle', () => {
  /** A refused login of the owner's, and the header that answers its puzzle. */
  async function refusedLogin(of: TestServer) {
    await of.player('owner')
    await besiege(of)
    const refused = await signIn(of.visitor(), owner.password, from('203.0.113.1'))
    return { challenge: challengeIn(refused), proof: await solved(refused) }
  }
  const challengedAgain = { statusCode: 429, challenged: true }
  const outcome = ({ statusCode, headers }: LightMyRequestResponse) => ({
    statusCode,
    challenged: headers['proof-of-work-challenge'] !== undefined,
  })

  it('is good once, however many bring it at the same moment', async () => {
    const of = await limited()
    const { proof } = await refusedLogin(of)
    const tries = Array.from({ length: 8 }, () =>
      signIn(of.visitor(), owner.password, { ...from('203.0.113.1'), ...proof }),
    )
    const statuses = (await Promise.all(tries)).map(({ statusCode }) => statusCode).sort()
    expect(statuses).toEqual([200, ...new Array(7).fill(429)])
    expect(outcome(await signIn(of.visitor(), owner.password, { ...from('203.0.113.1'), ...proof }))).toEqual(
      challengedAgain,
    )
  })

  it('is good for one account, one procedure, one network', async () => {
    const of = await limited()
    const { proof } = await refusedLogin(of)
    const other = 'other@papermoon.example'
    for (let i = 0; i < 30; i++) await signIn(of.visitor(), 'wrong-1', stranger(50 + Math.floor(i / 10)), other)
    expect(outcome(await signIn(of.visitor(), 'wrong-1', { ...from('203.0.113.1'), ...proof }, other))).toEqual(
      challengedAgain,
    )
    const elsewhere = await signIn(of.visitor(), owner.password, { ...from('203.0.113.2'), ...proof })
    expect(outcome(elsewhere)).toEqual(challengedAgain)
    const ask = (host: number, more: Headers = {}) =>
      of.visitor().post('/api/auth/forgot-password', { email: owner.email }, { ...from(`203.0.113.${host}`), ...more })
    for (let i = 0; i < 4; i++) await ask(1)
    expect(outcome(await ask(1, proof))).toEqual(challengedAgain)
    // None of these used it up.
    expect((await signIn(of.visitor(), owner.password, { ...from('203.0.113.1'), ...proof })).statusCode).toBe(200)
  })

  it('is good for five minutes', async () => {
    const of = await limited()
    const { proof } = await refusedLogin(of)
    of.passTime(300_001)
    expect(outcome(await signIn(of.visitor(), owner.password, { ...from('203.0.113.1'), ...proof }))).toEqual(
      challengedAgain,
    )
  })

  it('is taken for nothing where the puzzle was changed, the counter guessed, or nobody made it', async () => {
    const of = await limited()
    const { challenge, proof } = await refusedLogin(of)
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
    for (const header of forged) {
      const answer = await signIn(of.visitor(), owner.password, { ...from('203.0.113.1'), ...header })
      expect(outcome(answer)).toEqual(challengedAgain)
    }
    expect((await signIn(of.visitor(), owner.password, { ...from('203.0.113.1'), ...proof })).statusCode).toBe(200)
  })

  it('is worth nothing where no work is asked for, and costs nothing', async () => {
    const of = await limited()
    await of.player('owner')
    const answer = await signIn(of.visitor(), owner.password, { ...from('203.0.113.1'), 'proof-of-work': 'nonsense' })
    expect(answer.statusCode).toBe(200)
  })

  it('is worked for quickly by script where a page is not secure, and the other way only where it is', async () => {
    const algorithm = async (env: Headers, headers: Headers) => {
      const of = await limited(env)
      await of.player('owner')
      await besiege(of)
      const { algorithm } = challengeIn(
        await signIn(of.visitor(), 'wrong-1', { ...from('203.0.113.1'), ...headers }),
      ).parameters
      await of.close()
      server = undefined
      return algorithm
    }
    expect(await algorithm({}, { host: 'localhost' })).toBe('PBKDF2/SHA-256')
    expect(await algorithm({}, { host: '192.168.0.7:3000' })).toBe('SHA-256')
    expect(await algorithm({}, { host: 'moon.example', 'x-forwarded-proto': 'https' })).toBe('PBKDF2/SHA-256')
    expect(
      await algorithm({ PUBLIC_URL: 'https://moon.example', SHOW_RESET_CODES: 'off' }, { host: '192.168.0.7' }),
    ).toBe('PBKDF2/SHA-256')
  }, 240_000)
})

describe('puzzles of several nodes', () => {
  const task: WorkTask = { purpose: 'login', subject: 'somebody', level: 0, isSecureContext: true }
  const answerTo = async (challenge: unknown) => {
    const header = Buffer.from(JSON.stringify(challenge)).toString('base64url')
    return (await solved({ headers: { 'proof-of-work-challenge': header } }))['proof-of-work']
  }

  it('are answered at any of them, once over all', async () => {
    const of = await limited()
    const clock = { now: () => new Date() }
    const nodes = await Promise.all([1, 2].map(() => createProofOfWork({ db: of.db, clock })))
    const [one, two] = nodes
    const answer = await answerTo(await one?.challenge(task))
    const redeemed = await Promise.all([
      two?.redeem(answer, task),
      one?.redeem(answer, task),
      two?.redeem(answer, task),
    ])
    expect(redeemed.filter((isGood) => isGood)).toHaveLength(1)
  })

  it('are solved by any counter up to the bound of their level', async () => {
    const of = await limited()
    const proofOfWork = await createProofOfWork({ db: of.db, clock: { now: () => new Date() } })
    const counters: number[] = []
    for (let i = 0; i < 10; i++) {
      const answer = await answerTo(await proofOfWork.challenge(task))
      counters.push(JSON.parse(Buffer.from(answer, 'base64url').toString()).solution.counter)
    }
    // By chance, all ten are in the first tenth once in ten billion runs.
    expect(Math.max(...counters)).toBeGreaterThan(30)
    expect(Math.max(...counters)).toBeLessThanOrEqual(300)
  })

  it('are good at their level or below', async () => {
    const of = await limited()
    const { proofOfWork } = of.app.accounts
    const cheap = await answerTo(await proofOfWork.challenge(task))
    expect(await proofOfWork.redeem(cheap, { ...task, level: 1 })).toBe(false)
    const dear = await answerTo(await proofOfWork.challenge({ ...task, level: 1 }))
    expect(await proofOfWork.redeem(dear, task)).toBe(true)
  })

  it('of a page that is not secure are worth nothing on one that is', async () => {
    const of = await limited()
    const { proofOfWork } = of.app.accounts
    const quick = await answerTo(await proofOfWork.challenge({ ...task, isSecureContext: false }))
    expect(await proofOfWork.redeem(quick, task)).toBe(false)
    expect(await proofOfWork.redeem(quick, { ...task, isSecureContext: false })).toBe(true)
  })

  it('leave one row each, until they expire, and their key is in no log', async () => {
    const of = await limited()
    const { proofOfWork } = of.app.accounts
    await proofOfWork.redeem(await answerTo(await proofOfWork.challenge(task)), task)
    const rows = async () => (await of.db.selectFrom('spent_proofs').selectAll().execute()).length
    await deleteExpiredProofs(of.db, new Date())
    expect(await rows()).toBe(1)
    await deleteExpiredProofs(of.db, new Date(Date.now() + 301_000))
    expect(await rows()).toBe(0)
    const { key } = await of.db
      .selectFrom('server_keys')
      .select('key')
      .where('name', '=', 'proof of work')
      .executeTakeFirstOrThrow()
    expect(key).toHaveLength(32)
    const logged = JSON.stringify(of.logs)
    for (const encoding of ['hex', 'base64', 'base64url'] as const) expect(logged).not.toContain(key.toString(encoding))
  })
})

describe('a registration', () => {
  const register = (of: TestServer, name: string, headers: Headers) =>
    of.visitor().post('/api/auth/register', registration(name), headers)

  it('takes work after ten from one address, and is bounded at 30 an hour with it', async () => {
    const of = await limited()
    const statuses: number[] = []
    for (let i = 0; i < 10; i++) statuses.push((await register(of, `free-${i}`, stranger(1))).statusCode)
    for (let i = 0; i < 21; i++) {
      statuses.push((await withWork((more) => register(of, `worked-${i}`, { ...stranger(1), ...more }))).statusCode)
    }
    expect(statuses).toEqual([...new Array(30).fill(201), 429])
    expect((await register(of, 'elsewhere', stranger(2))).statusCode).toBe(201)
  }, 240_000)

  it('takes none where RATE_LIMIT=off', async () => {
    const of = await limited({ RATE_LIMIT: 'off' })
    const statuses = new Set<number>()
    for (let i = 0; i < 32; i++) statuses.add((await register(of, `loaded-${i}`, stranger(1))).statusCode)
    expect([...statuses]).toEqual([201])
  }, 240_000)
})

describe('a forgotten password past the limits', () => {
  const ask = (of: TestServer, headers: Headers, visitor = of.visitor()) =>
    visitor.post('/api/auth/forgot-password', { email: owner.email }, headers)

  it('takes work, and the owner’s new browser gets a code after 20 of strangers', async () => {
    const of = await limited()
    await of.player('owner')
    for (let i = 0; i < 20; i++) await ask(of, stranger(Math.floor(i / 4)))
    const browser = of.visitor()
    const answer = await withWork((more) => ask(of, { ...from('203.0.113.1'), ...more }, browser))
    expect(answer.statusCode).toBe(200)
    const reset = await browser.post('/api/auth/reset-password', {
      token: answer.json().resetToken,
      newPassword: 'a-kite-in-may',
    })
    expect(reset.statusCode).toBe(200)
  })

  it('stays bounded with work: five a day for an account from one network', async () => {
    const of = await limited()
    await of.player('owner')
    for (let i = 0; i < 4; i++) await ask(of, stranger(1))
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) {
      statuses.push((await withWork((more) => ask(of, { ...stranger(1), ...more }))).statusCode)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    expect((await ask(of, stranger(2))).statusCode).toBe(200)
  }, 240_000)
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
