import { procedures } from '@papermoon/contract'
import type { ErrorCode } from '@papermoon/contract/errors'
import type { ApiScope } from '@papermoon/contract/procedure'
import { getAcceptedScopes, isForGuests, type Procedure } from '@papermoon/contract/procedure'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { type RestRoute, restRoutes } from '../../src/http/rest/routes.ts'
import { badInputs } from '../support/bad-input.ts'
import { callOverSocket, sendCall, sendRest } from '../support/send-call.ts'
import { errorsIn, shareTestServer, type Visitor } from '../support/test-server.ts'

const CALLERS = [
  'guest',
  'player',
  'suspended player',
  'frozen player',
  'expired session',
  'key for the market',
  'key that reads',
  'key that trades',
  'key that resets',
  'key of a suspended player',
  'key of a frozen player',
  'expired key',
] as const
type Caller = (typeof CALLERS)[number]
type Headers = Readonly<Record<string, string>>

/** The only scope of each kind of key. */
const scopeOf: Partial<Record<Caller, ApiScope>> = {
  'key for the market': 'market',
  'key that reads': 'read',
  'key that trades': 'trade',
  'key that resets': 'reset',
  'key of a suspended player': 'trade',
  'key of a frozen player': 'trade',
}

/** Error codes that depend on the caller, not on the input. */
const ACCESS: ReadonlySet<string> = new Set<ErrorCode>([
  'NOT_SIGNED_IN',
  'API_KEY_INVALID',
  'KEY_EXPIRED',
  'API_KEY_NOT_ALLOWED',
  'ACCOUNT_SUSPENDED',
  'ACCOUNT_FROZEN',
])
/** The caller was accepted: the call succeeded, or failed because of its input. */
const REACHED = 'reached'

const headersOf = new Map<Caller, Headers>()
const server = await shareTestServer()
const port = await server.listen()
await (await server.player()).launch()
for (const caller of CALLERS) headersOf.set(caller, await makeCaller(caller))

/**
 * Creates a caller and returns the headers of its requests. The changes in the database come before the caller's first
 * call.
 */
async function makeCaller(caller: Caller): Promise<Headers> {
  if (caller === 'guest') return {}
  const player = await server.player()
  const id = await player.id()
  const headers =
    caller.startsWith('key') || caller === 'expired key' ? await makeKey(caller) : { cookie: player.cookie ?? '' }
  const standing = caller.includes('suspended') ? 'suspended' : caller.includes('frozen') ? 'frozen' : 'active'
  await sql`update users set standing = ${standing} where id = ${id}`.execute(server.db)
  const past = new Date(Date.now() - 60_000)
  if (caller === 'expired session')
    await sql`update sessions set expires_at = ${past} where user_id = ${id}`.execute(server.db)
  if (caller === 'expired key')
    await sql`update api_keys set expires_at = ${past} where user_id = ${id}`.execute(server.db)
  // Let the cached session expire.
  server.passTime(10_000)
  return headers

  async function makeKey(kind: Caller): Promise<Headers> {
    const scopes = [scopeOf[kind] ?? 'trade']
    const { key } = (await player.post('/api/keys', { name: 'bot', scopes })).json()
    return { authorization: `Bearer ${key}` }
  }
}

/**
 * One procedure for each class of access. Its input is invalid, so it changes nothing, but the caller is checked first.
 */
const CLASSES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  // For everyone: guests, and players with a session or any key.
  'tokens.get': { id: 'x' },
  'auth.login': { email: 5 },
  'site.parameters': {},
  // For players, and for keys that can read the market, read everything, or do nothing.
  'past.bag': { tokenId: 'x' },
  'alerts.list': {},
  'keys.list': {},
  // Actions of players: with a session only, also when suspended, or with a key.
  'watchlist.add': { id: 'x' },
  'keys.revoke': { id: 'x' },
  'trading.buy': { tokenId: 'x' },
  'trading.sell': { tokenId: 'x' },
  'account.reset': {},
  // Subscriptions.
  'live.token': { tokenId: 'x' },
  'notices.live': { lastEventId: 'x' },
}
/** Procedures that each caller calls over every transport. The others are called over tRPC only. */
const OVER_EVERY_TRANSPORT = ['trading.sell', 'alerts.list']

/** Returns the result that a caller must get by the contract. */
function predictResult(caller: Caller, path: string): string {
  const procedure = getProcedure(path)
  const { type, access, whenSuspended } = procedure
  if (caller === 'expired key') return 'KEY_EXPIRED'
  if (caller === 'key of a frozen player') return 'ACCOUNT_FROZEN'
  const isSuspended = caller.includes('suspended') && type === 'mutation' && whenSuspended === undefined
  if (caller.startsWith('key')) {
    // The status of the key's player is checked before the key's scopes.
    if (isSuspended) return 'ACCOUNT_SUSPENDED'
    const scope = scopeOf[caller]
    const isAccepted = scope !== undefined && getAcceptedScopes(procedure).includes(scope)
    if (!isAccepted && !isForGuests(procedure)) return 'API_KEY_NOT_ALLOWED'
  }
  if (access !== 'player') return REACHED
  if (caller === 'guest' || caller === 'expired session') return 'NOT_SIGNED_IN'
  if (caller === 'frozen player') return 'ACCOUNT_FROZEN'
  return isSuspended ? 'ACCOUNT_SUSPENDED' : REACHED
}

function getProcedure(path: string): Procedure {
  const procedure = procedures.get(path)
  if (procedure === undefined) throw new Error(`${path} is no procedure`)
  return procedure
}

function verdictOn(status: number, code: unknown): string {
  if (ACCESS.has(String(code))) return String(code)
  return status < 500 ? REACHED : `${status} ${String(code)}`
}

async function overHttp(path: string, input: object, headers: Headers): Promise<string> {
  const answer = await sendCall(server.visitor(), path, { envelope: JSON.stringify({ json: input }), headers })
  return verdictOn(answer.statusCode, answer.json().error?.json.data.reason)
}

async function overBatch(path: string, input: object, headers: Headers): Promise<string> {
  const envelope = JSON.stringify({ 0: { json: input } })
  const answer = await sendCall(server.visitor(), path, { envelope, isBatch: true, headers })
  const [{ error }] = answer.json()
  return verdictOn(answer.statusCode, error?.json.data.reason)
}

async function overSocket(path: string, input: object, headers: Headers): Promise<string> {
  const [error] = await callOverSocket(port, path, { inputs: [{ json: input }], headers })
  return verdictOn(error?.data?.httpStatus ?? 200, error?.data?.reason)
}

async function overRest(route: RestRoute, input: object, headers: Headers): Promise<string> {
  const accept = { accept: 'application/problem+json', ...headers }
  const answer = await sendRest(server.visitor(), route, { input, headers: accept })
  return verdictOn(answer.statusCode, answer.statusCode < 400 ? null : answer.json().code)
}

const headersFor = (caller: Caller) => headersOf.get(caller) ?? {}

describe.each(Object.entries(CLASSES))('%s', (path, input) => {
  const call = getProcedure(path).type === 'subscription' ? overSocket : overHttp

  it('responds to every caller as the contract says', async () => {
    const expected = CALLERS.map((caller) => [caller, predictResult(caller, path)])
    const met = []
    for (const caller of CALLERS) met.push([caller, await call(path, input, headersFor(caller))])
    expect(met).toEqual(expected)
  })
})

describe.each(OVER_EVERY_TRANSPORT)('%s', (path) => {
  const input = CLASSES[path] ?? {}
  const route = restRoutes.find(({ procedure }) => procedure === path)
  if (route === undefined) throw new Error(`${path} has no route`)

  it.each([
    ['a batch', (caller: Caller) => overBatch(path, input, headersFor(caller))],
    ['a socket', (caller: Caller) => overSocket(path, input, headersFor(caller))],
    ['REST', (caller: Caller) => overRest(route, input, headersFor(caller))],
  ])('answers every caller over %s as over tRPC', async (_transport, call) => {
    const expected = CALLERS.map((caller) => [caller, predictResult(caller, path)])
    const met = []
    for (const caller of CALLERS) met.push([caller, await call(caller)])
    expect(met).toEqual(expected)
  })
})

const player = await server.player('reader')
const CHALLENGE = 'Bearer realm="Papermoon"'
/** One procedure for each class of access. */
const called = ['tokens.get', 'auth.me', 'alerts.list', 'trading.buy', 'auth.logout']

describe('a response over tRPC', () => {
  it('is never cached, including batches, errors and unknown procedures', async () => {
    const input = encodeURIComponent(JSON.stringify({ 0: { json: null }, 1: { json: { id: 99 } } }))
    const batch = `auth.me,tokens.get?batch=1&input=${input}`
    for (const path of [...called, batch, 'nothing', 'auth.me?zzz=1', '']) {
      expect([path, (await player.get(`/trpc/${path}`)).headers['cache-control']]).toEqual([path, 'no-store'])
    }
  })
})

describe('every 401', () => {
  it.each(called)('says how to authenticate, over every transport: %s', async (path) => {
    const visitors: [Visitor, Record<string, string>, string][] = [
      [server.visitor(), {}, CHALLENGE],
      [server.visitor(), { authorization: 'Bearer nonsense' }, `${CHALLENGE}, error="invalid_token"`],
    ]
    for (const [visitor, headers, challenge] of visitors) {
      const envelope = JSON.stringify({ json: badInputs[path]?.valid })
      const answers = [await sendCall(visitor, path, { envelope, headers })]
      for (const { method, path: url } of restRoutes.filter(({ procedure }) => procedure === path)) {
        answers.push(await visitor.send({ method, url: url.replaceAll(/\{\w+\}/g, '1'), headers }))
      }
      const refused = answers.filter(({ statusCode }) => statusCode === 401)
      expect(refused.map((answer) => answer.headers['www-authenticate'])).toEqual(refused.map(() => challenge))
      if (headers.authorization !== undefined) expect(refused.length).toBeGreaterThan(0)
    }
  })

  it('says so for a wrong password and in a batch too, and no other response does', async () => {
    const wrong = { email: 'player-1@papermoon.example', password: 'wrong-1' }
    const answers = [
      await server.visitor().post('/api/auth/login', wrong),
      await server.visitor().mutate('auth.login', wrong),
      await server.visitor().get('/trpc/auth.me,keys.list?batch=1'),
    ]
    expect(answers.map((answer) => answer.statusCode)).toEqual([401, 401, 207])
    expect(answers.map((answer) => answer.headers['www-authenticate'])).toEqual([CHALLENGE, CHALLENGE, CHALLENGE])
    expect((await player.get('/api/auth/user')).headers['www-authenticate']).toBeUndefined()
  })
})

it('none of these tests logged an error', () => {
  expect(errorsIn(server)).toEqual([])
})
