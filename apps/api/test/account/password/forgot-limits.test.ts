import { describe, expect, it } from 'vitest'
import { createLimitedAccounts } from '../../support/limited-accounts.ts'
import type { Visitor } from '../../support/test-server.ts'

const { server, fromNew, newPlayer } = await createLimitedAccounts()

const LIMITS = ['ratelimit-limit', 'ratelimit-remaining'] as const

const ask = (visitor: Visitor, email: string, headers = fromNew()) =>
  visitor.post('/api/auth/forgot-password', { email }, headers)

/** Strangers request codes, `each` times from every address; returns the statuses. */
async function flood(email: string, { addresses, each }: { addresses: number; each: number }): Promise<number[]> {
  const statuses: number[] = []
  for (let address = 0; address < addresses; address++) {
    const here = fromNew()
    for (let i = 0; i < each; i++) statuses.push((await ask(server.visitor(), email, here)).statusCode)
  }
  return statuses
}

describe('reset codes of an account', () => {
  it('are limited to 20 a day for strangers, and the owner gets one in a trusted browser', async () => {
    const { email, browser } = await newPlayer()
    await browser.raw('POST', '/api/auth/logout', '')
    const limited = [...new Array(20).fill(200), ...new Array(4).fill(429)]
    expect(await flood(email, { addresses: 6, each: 4 })).toEqual(limited)
    expect(await flood('nobody@papermoon.example', { addresses: 6, each: 4 })).toEqual(limited)
    const answer = await ask(browser, email)
    expect(answer.statusCode).toBe(200)
    const { resetToken: token } = answer.json()
    const reset = await browser.post('/api/auth/reset-password', { token, newPassword: 'brand-new' })
    expect(reset.statusCode).toBe(200)
  })

  it('are limited to 4 a day from one address without affecting other addresses', async () => {
    const { email } = await newPlayer()
    const statuses = await flood(email, { addresses: 1, each: 25 })
    expect(statuses).toEqual([...new Array(4).fill(200), ...new Array(21).fill(429)])
    // Refused requests used up nothing of the shared limit: 16 are left.
    const answers = await Promise.all(Array.from({ length: 17 }, () => ask(server.visitor(), email)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([...new Array(16).fill(200), 429])
  })

  it('are limited to 10 a day for a trusted browser at any address, and strangers’ are counted separately', async () => {
    const { email, browser } = await newPlayer()
    const statuses: number[] = []
    for (let i = 0; i < 11; i++) statuses.push((await ask(browser, email)).statusCode)
    expect(statuses).toEqual([...new Array(10).fill(200), 429])
    expect((await ask(server.visitor(), email)).statusCode).toBe(200)
  })

  it('are counted and answered the same for an unknown e-mail and for another account’s cookie', async () => {
    const [{ browser: other }, { email }] = [await newPlayer(), await newPlayer()]
    const outcomes: unknown[] = []
    for (const address of [email, 'unknown@papermoon.example']) {
      const here = fromNew()
      const answers = []
      for (let i = 0; i < 5; i++) answers.push(await ask(i % 2 === 0 ? other : server.visitor(), address, here))
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

  it('are limited to 30 from one address, whatever the accounts', async () => {
    const [here, statuses] = [fromNew(), [] as number[]]
    for (let count = 0; count < 31; count++)
      statuses.push((await ask(server.visitor(), `sweep-${count}@x.org`, here)).statusCode)
    expect(statuses).toEqual([...new Array(30).fill(200), 429])
  })
})

describe('resets', () => {
  it('are limited to 30 from one address, over all transports together', async () => {
    const [here, body] = [fromNew(), { token: '123456', newPassword: 'secret-2' }]
    for (let count = 0; count < 15; count++) {
      await server.visitor().post('/api/auth/reset-password', body, here)
      await server.visitor().post('/trpc/auth.resetPassword', { json: body }, here)
    }
    const refused = await server.visitor().post('/api/auth/reset-password', body, here)
    expect(refused.statusCode).toBe(429)
    expect(refused.headers).toMatchObject({ 'ratelimit-limit': '30', 'ratelimit-remaining': '0' })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })

  it.each(['auth.forgotPassword', 'auth.resetPassword'])('are not evaded by batches: %s', async (path) => {
    const answer = await server.visitor().post(`/trpc/${path},${path}?batch=1`, { 0: {}, 1: {} }, fromNew())
    expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining('must be sent alone')])
  })
})
