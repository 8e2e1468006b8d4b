import { afterEach, describe, expect, it } from 'vitest'
import { createTestServer, registration, type TestServer, type Visitor } from '../../support/test-server.ts'

let server: TestServer | undefined
afterEach(() => server?.close())

async function limited(): Promise<TestServer> {
  server = await createTestServer({
    hasJobs: false,
    env: { RATE_LIMIT: 'on', TRUST_PROXY: 'loopback', SHOW_RESET_CODES: 'on' },
  })
  return server
}

const owner = registration('owner')
const nobody = 'nobody@papermoon.example'
const LIMITS = ['ratelimit-limit', 'ratelimit-remaining'] as const

function ask(visitor: Visitor, email: string, host: number) {
  return visitor.post('/api/auth/forgot-password', { email }, { 'x-forwarded-for': `203.0.113.${host}` })
}

/** Strangers request codes, `each` times from every address; returns the statuses. */
async function flood(of: TestServer, email: string, { addresses, each }: { addresses: number; each: number }) {
  const statuses: number[] = []
  for (let i = 0; i < addresses * each; i++) {
    statuses.push((await ask(of.visitor(), email, 100 + Math.floor(i / each))).statusCode)
  }
  return statuses
}

describe('reset codes of an account', () => {
  it('are limited to 20 a day for strangers, and the owner gets one in a trusted browser', async () => {
    const of = await limited()
    const browser = await of.player('owner')
    await browser.raw('POST', '/api/auth/logout', '')
    expect(await flood(of, owner.email, { addresses: 6, each: 4 })).toEqual([
      ...new Array(20).fill(200),
      ...new Array(4).fill(429),
    ])
    const answer = await ask(browser, owner.email, 7)
    expect(answer.statusCode).toBe(200)
    const { resetToken: token } = answer.json()
    const reset = await browser.post('/api/auth/reset-password', { token, newPassword: 'brand-new' })
    expect(reset.statusCode).toBe(200)
  })

  it('are limited to 4 a day from one address without affecting other addresses', async () => {
    const of = await limited()
    await of.player('owner')
    const statuses = await flood(of, owner.email, { addresses: 1, each: 25 })
    expect(statuses).toEqual([...new Array(4).fill(200), ...new Array(21).fill(429)])
    // Refused requests used up nothing of the shared limit: 16 are left.
    const others = Array.from({ length: 17 }, (_, i) => ask(of.visitor(), owner.email, i))
    const answers = (await Promise.all(others)).map(({ statusCode }) => statusCode).sort()
    expect(answers).toEqual([...new Array(16).fill(200), 429])
  })

  it('are limited to 10 a day for a trusted browser at any address, and strangers’ are counted separately', async () => {
    const of = await limited()
    const browser = await of.player('owner')
    const statuses: number[] = []
    for (let i = 0; i < 11; i++) statuses.push((await ask(browser, owner.email, i)).statusCode)
    expect(statuses).toEqual([...new Array(10).fill(200), 429])
    expect((await ask(of.visitor(), owner.email, 50)).statusCode).toBe(200)
  })

  it('are counted and answered the same for an unknown e-mail and for another account’s cookie', async () => {
    const of = await limited()
    const other = await of.player('other')
    await of.player('owner')
    const outcomes: unknown[] = []
    for (const [email, host] of [
      [owner.email, 1],
      [nobody, 2],
    ] as const) {
      const answers = []
      for (let i = 0; i < 5; i++) answers.push(await ask(i % 2 === 0 ? other : of.visitor(), email, host))
      outcomes.push(answers.map((answer) => [answer.statusCode, ...LIMITS.map((name) => answer.headers[name])]))
    }
    expect(outcomes[0]).toEqual(outcomes[1])
    expect(outcomes[0]).toEqual([
      [200, '4', '3'],
      [200, '4', '2'],
      [200, '4', '1'],
      [200, '4', '0'],
      [429, '4', '0'],
    ])
  })
})
