import { expect, it, vi } from 'vitest'
import { openSocket, shareTestServer } from '../support/test-server.ts'

const SENTENCE = 'The input has too many or too deep parts.'
const DEEP: unknown = JSON.parse('['.repeat(400) + ']'.repeat(400))
const LONG = new Array(2_000).fill(0)
const JSON_TYPE = { 'content-type': 'application/json' }
const inputs = [
  ['deep', DEEP],
  ['long', LONG],
] as const

const server = await shareTestServer({ env: { RATE_LIMIT: 'on' } })

/** How many calls are counted from now on. */
function countCalls(): () => number {
  const spend = vi.spyOn(server.app.accounts.limits, 'spend')
  return () => {
    const kinds = spend.mock.calls.map(([, limit]) => limit)
    spend.mockRestore()
    return kinds.filter((limit) => limit === 'read' || limit === 'write').length
  }
}

it.each(inputs)('a body with %s lists is refused over REST, and counted', async (_name, x) => {
  const count = countCalls()
  const { statusCode, body } = await server.visitor().post('/api/auth/login', { x })
  expect([statusCode, body]).toEqual([400, SENTENCE])
  expect(count()).toBe(1)
})

it.each(inputs)(
  'an input with %s lists is refused over tRPC, alone and in a batch, and counted',
  async (_name, json) => {
    const count = countCalls()
    const alone = await server.visitor().post('/trpc/auth.logout', { json }, JSON_TYPE)
    expect([alone.statusCode, alone.body]).toEqual([400, expect.stringContaining(SENTENCE)])
    const batch = await server.visitor().post('/trpc/auth.logout,auth.logout?batch=1', { 0: { json } }, JSON_TYPE)
    expect(batch.statusCode).toBe(400)
    expect(batch.json()).toHaveLength(2)
    for (const answer of batch.json()) expect(JSON.stringify(answer)).toContain(SENTENCE)
    const url = `/trpc/site.settings?input=${encodeURIComponent(JSON.stringify({ json }))}`
    const query = await server.visitor().get(url)
    expect([query.statusCode, query.body]).toEqual([400, expect.stringContaining(SENTENCE)])
    expect(count()).toBe(4)
  },
)

it('a message with deep lists is refused over a socket, and counted', async () => {
  const listener = await openSocket(`ws://127.0.0.1:${await server.listen()}/trpc`)
  const count = countCalls()
  listener.send({ id: 1, method: 'query', params: { path: 'site.settings', input: { json: DEEP } } })
  expect(JSON.stringify(await listener.next())).toContain(SENTENCE)
  expect(count()).toBe(1)
  listener.socket.close()
})
