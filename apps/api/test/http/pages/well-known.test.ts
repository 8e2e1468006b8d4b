import { afterAll, describe, expect, it } from 'vitest'
import { createTestServer, shareTestServer } from '../../support/test-server.ts'

const DAY_MS = 24 * 3_600_000

const bare = await createTestServer({ hasJobs: false })
afterAll(() => bare.close())
const server = await shareTestServer({
  hasJobs: false,
  env: { SECURITY_CONTACT: 'security@papermoon.example', PUBLIC_URL: 'https://papermoon.example' },
})

/** Returns the fields of RFC 9116, and checks that each occurs once. */
async function fields(): Promise<Map<string, string>> {
  const answer = await server.visitor().get('/.well-known/security.txt')
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
  const lines = answer.body.trimEnd().split('\n')
  return new Map(lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]))
}

describe('/.well-known/security.txt', () => {
  it('names the contact and an expiry date', async () => {
    const said = await fields()
    expect([...said.keys()]).toEqual(['Contact', 'Expires', 'Preferred-Languages', 'Canonical'])
    expect(said.get('Contact')).toBe('mailto:security@papermoon.example')
    expect(said.get('Canonical')).toBe('https://papermoon.example/.well-known/security.txt')
  })

  it('does not expire while the server runs, or later than in a year', async () => {
    for (const days of [0, 100, 400]) {
      server.passTime(days * DAY_MS)
      const left = Date.parse((await fields()).get('Expires') ?? '') - server.app.platform.clock.now().getTime()
      expect(left).toBeGreaterThan(90 * DAY_MS)
      expect(left).toBeLessThan(365 * DAY_MS)
    }
  })

  it('is a 404 without a contact', async () => {
    expect((await bare.visitor().get('/.well-known/security.txt')).statusCode).toBe(404)
  })
})

describe('/.well-known/change-password', () => {
  it('redirects to the settings', async () => {
    const answer = await bare.visitor().get('/.well-known/change-password')
    expect([answer.statusCode, answer.headers.location]).toEqual([302, '/settings#password'])
  })

  it('differs from a missing page, which password managers check', async () => {
    const url = '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200'
    expect((await bare.visitor().get(url)).statusCode).toBe(404)
  })
})
