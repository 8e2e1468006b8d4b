import { describe, expect, it } from 'vitest'
import type { Context } from '../../src/context.ts'
import { requireRecentProof } from '../../src/features/account/step-up.ts'
import { registration, shareTestServer, type Visitor } from '../support/test-server.ts'

const MINUTE_MS = 60_000

const server = await shareTestServer()

const confirm = (visitor: Visitor, password = 'secret-1') => visitor.post('/api/account/confirm', { password })

/** Returns whether a guarded call of this visitor would succeed, or the error. */
async function checkProof({ cookie }: Visitor): Promise<string> {
  const token = cookie?.split('=')[1] ?? null
  return await requireRecentProof({ app: server.app, cookies: { session: { token } } } as Context).then(
    () => 'proven',
    (error: { code?: string }) => error.code ?? String(error),
  )
}

describe('a dangerous act', () => {
  it('needs no proof for 10 minutes after a registration or a login', async () => {
    const player = await server.player('fresh-proof')
    server.passTime(9 * MINUTE_MS)
    expect(await checkProof(player)).toBe('proven')
    server.passTime(2 * MINUTE_MS)
    expect(await checkProof(player)).toBe('CONFIRMATION_NEEDED')
    const { email, password } = registration('fresh-proof')
    await player.post('/api/auth/login', { email, password })
    expect(await checkProof(player)).toBe('proven')
  })

  it('needs no proof for 10 minutes after the right password; the session gets a new token, and the old one is signed out', async () => {
    const player = await server.player('copied')
    const copy = server.visitor()
    copy.cookie = player.cookie
    server.passTime(11 * MINUTE_MS)
    const refused = await confirm(player, 'wrong-1')
    expect([refused.statusCode, refused.body]).toEqual([403, 'This password is wrong.'])
    expect(await checkProof(player)).toBe('CONFIRMATION_NEEDED')
    expect((await copy.get('/api/auth/user')).statusCode).toBe(200)
    expect((await confirm(player)).json()).toMatchObject({ ok: true })
    expect([await checkProof(player), await checkProof(copy)]).toEqual(['proven', 'NOT_SIGNED_IN'])
    expect((await copy.get('/api/auth/user')).statusCode).toBe(401)
    server.passTime(11 * MINUTE_MS)
    expect(await checkProof(player)).toBe('CONFIRMATION_NEEDED')
  })

  it.each([
    ['a new API key', 'POST', '/api/keys', { name: 'bot', scopes: ['read'] }],
    ['a new webhook', 'POST', '/api/webhooks', { url: 'https://hooks.example.org/', events: ['trade'] }],
    ['another webhook secret', 'POST', '/api/webhooks/1/secret', {}],
    ['a new authenticator app', 'POST', '/api/account/second-factor/setup', {}],
    ['a copy of all data', 'POST', '/api/account/export', {}],
    ['a deletion', 'POST', '/api/account/deletion', {}],
  ] as const)('is %s', async (what, method, url, body) => {
    const player = await server.player(what.replaceAll(' ', '-'))
    server.passTime(11 * MINUTE_MS)
    const headers = { 'content-type': 'application/json', accept: 'application/problem+json' }
    const act = () => player.raw(method, url, JSON.stringify(body), headers)
    expect((await act()).json()).toMatchObject({ status: 403, code: 'CONFIRMATION_NEEDED' })
    await confirm(player)
    expect((await act()).statusCode).not.toBe(403)
  })

  it('includes ending another session, but not ending one’s current session', async () => {
    const player = await server.player('ends-others')
    const other = server.visitor()
    const { email, password } = registration('ends-others')
    await other.post('/api/auth/login', { email, password })
    const [, second] = (await player.get('/api/account/sessions')).json() as { id: number }[]
    const id = second?.id ?? 0
    server.passTime(11 * MINUTE_MS)
    const end = (who: Visitor, session: number | '') =>
      who.send({ method: 'DELETE', url: session === '' ? '/api/account/sessions' : `/api/account/sessions/${session}` })
    expect([(await end(player, id)).statusCode, (await end(player, '')).statusCode]).toEqual([403, 403])
    expect((await other.get('/api/auth/user')).statusCode).toBe(200)
    expect((await end(other, id)).statusCode).toBe(200)
    await confirm(player)
    expect((await end(player, '')).json()).toEqual({ ok: true, sessionsEnded: 0 })
  })

  it('needs a proof from each session separately', async () => {
    const player = await server.player('two-proofs')
    const other = server.visitor()
    const { email, password } = registration('two-proofs')
    await other.post('/api/auth/login', { email, password })
    server.passTime(11 * MINUTE_MS)
    await confirm(player)
    expect([await checkProof(player), await checkProof(other)]).toEqual(['proven', 'CONFIRMATION_NEEDED'])
  })

  it('is rejected for guests, ended sessions and old sessions without proof', async () => {
    const player = await server.player('ended-proof')
    const ended = server.visitor()
    ended.cookie = player.cookie
    await player.raw('POST', '/api/auth/logout', '')
    expect([await checkProof(server.visitor()), await checkProof(ended)]).toEqual(['NOT_SIGNED_IN', 'NOT_SIGNED_IN'])
    const old = await server.player('old-proof')
    await server.db.updateTable('sessions').set({ confirmed_at: null }).execute()
    expect(await checkProof(old)).toBe('CONFIRMATION_NEEDED')
  })
})
