import type { LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiScope } from '../../src/context.ts'
import type { DomainErrorCode } from '../../src/errors.ts'
import { procedures } from '../../src/http/calls/procedures.ts'
import { type RestRoute, restRoutes } from '../../src/http/rest/routes.ts'
import { type BadInputRow, badInputs, getBadInputRow, SCOPES_FOR } from '../support/bad-input.ts'
import { createTestServer, errorsIn, openSocket, type TestServer } from '../support/test-server.ts'

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
}

/** Refusals that depend on the caller, not on the input. */
const ACCESS: ReadonlySet<string> = new Set<DomainErrorCode>([
  'NOT_SIGNED_IN',
  'API_KEY_INVALID',
  'KEY_EXPIRED',
  'API_KEY_NOT_ALLOWED',
  'ACCOUNT_SUSPENDED',
  'ACCOUNT_FROZEN',
])
/** The caller was accepted: the call succeeded, or was refused for its input. */
const REACHED = 'reached'

let server: TestServer
let port: number
const headersOf = new Map<Caller, Headers>()
beforeAll(async () => {
  server = await createTestServer()
  port = await server.listen()
  await (await server.player()).launch()
  for (const caller of CALLERS) headersOf.set(caller, await makeCaller(caller))
})
afterAll(() => server?.close())

/** Somebody new, and what their requests bring. What is changed in the database is changed before anybody looks. */
async function makeCaller(caller: Caller): Promise<Headers> {
  if (caller === 'guest') return {}
  const player = await server.player()
  const { id } = (await player.get('/api/auth/user')).json()
  const headers =
    caller.startsWith('key') || caller === 'expired key' ? await makeKey(caller) : { cookie: player.cookie ?? '' }
  const standing = caller.includes('suspended') ? 'suspended' : caller.includes('frozen') ? 'frozen' : 'active'
  await sql`update users set standing = ${standing} where id = ${id}`.execute(server.db)
  const past = new Date(Date.now() - 60_000)
  if (caller === 'expired session')
    await sql`update sessions set expires_at = ${past} where user_id = ${id}`.execute(server.db)
  if (caller === 'expired key')
    await sql`update api_keys set expires_at = ${past} where user_id = ${id}`.execute(server.db)
  // What was known of the session is forgotten after some seconds.
  server.passTime(10_000)
  return headers

  async function makeKey(kind: Caller): Promise<Headers> {
    const scopes = [scopeOf[kind] ?? 'trade']
    const { key } = (await player.post('/api/keys', { name: 'bot', scopes })).json()
    return { authorization: `Bearer ${key}` }
  }
}

interface Access {
  readonly path: string
  readonly needsPlayer: boolean
}

/** What a caller meets, by what the procedure says about itself. */
function predictResult(caller: Caller, { path, needsPlayer }: Access): string {
  const facts = procedures.get(path)
  if (facts === undefined) throw new Error(`${path} is no procedure`)
  const { type, meta } = facts
  if (caller === 'expired key') return 'KEY_EXPIRED'
  const isSuspended = caller.includes('suspended') && type === 'mutation' && meta.whenSuspended === undefined
  if (caller.startsWith('key')) {
    // The standing of a key's player is looked at before its scopes.
    if (isSuspended) return 'ACCOUNT_SUSPENDED'
    const scope = scopeOf[caller]
    if (scope === undefined || !SCOPES_FOR[getBadInputRow(path).scope].includes(scope)) return 'API_KEY_NOT_ALLOWED'
  }
  if (!needsPlayer) return REACHED
  if (caller === 'guest' || caller === 'expired session') return 'NOT_SIGNED_IN'
  // To what is open to guests, too, a frozen player is one.
  if (caller === 'frozen player') return badInputs[path]?.isSignedIn ? 'ACCOUNT_FROZEN' : 'NOT_SIGNED_IN'
  return isSuspended ? 'ACCOUNT_SUSPENDED' : REACHED
}

/** An input that changes nothing: it is refused, but only after the caller was checked. */
function harmlessInput({ valid, bad }: BadInputRow): Record<string, unknown> {
  const [[field, values] = ['', []]] = Object.entries(bad)
  const value = values.find((one) => (typeof one === 'string' && one.trim() !== '') || Number.isFinite(one))
  return field === '' ? { ...valid } : { ...valid, [field]: value ?? 'x'.repeat(9_999) }
}

function verdictOn(status: number, code: unknown): string {
  if (ACCESS.has(String(code))) return String(code)
  return status < 500 ? REACHED : `${status} ${String(code)}`
}

async function overHttp(path: string, input: object, headers: Headers): Promise<string> {
  const envelope = JSON.stringify({ json: input })
  const url = `/trpc/${path}`
  const visitor = server.visitor()
  const answer =
    procedures.get(path)?.type === 'query'
      ? await visitor.get(`${url}?input=${encodeURIComponent(envelope)}`, headers)
      : await visitor.raw('POST', url, envelope, { 'content-type': 'application/json', ...headers })
  return verdictOn(answer.statusCode, answer.json().error?.json.data.reason)
}

async function overBatch(path: string, input: object, headers: Headers): Promise<string> {
  const envelopes = JSON.stringify({ 0: { json: input } })
  const url = `/trpc/${path}?batch=1`
  const visitor = server.visitor()
  const answer =
    procedures.get(path)?.type === 'query'
      ? await visitor.get(`${url}&input=${encodeURIComponent(envelopes)}`, headers)
      : await visitor.raw('POST', url, envelopes, { 'content-type': 'application/json', ...headers })
  const [{ error }] = answer.json()
  return verdictOn(answer.statusCode, error?.json.data.reason)
}

async function overSocket(path: string, input: object, headers: Headers): Promise<string> {
  const listener = await openSocket(`ws://127.0.0.1:${port}/trpc`, headers)
  listener.send({ id: 1, method: procedures.get(path)?.type, params: { path, input: { json: input } } })
  const { error } = Object(await listener.next())
  listener.socket.close()
  return verdictOn(error?.json.data.httpStatus ?? 200, error?.json.data.reason)
}

async function overRest({ method, path }: RestRoute, input: object, headers: Headers): Promise<string> {
  const fields: Record<string, unknown> = { ...input }
  const url = path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => {
    const value = String(fields[name])
    delete fields[name]
    return encodeURIComponent(value)
  })
  const accept = { accept: 'application/problem+json', ...headers }
  const visitor = server.visitor()
  const answer: LightMyRequestResponse =
    method === 'GET'
      ? await visitor.get(
          `${url}?${new URLSearchParams(Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]))}`,
          accept,
        )
      : await visitor.raw(method, url, JSON.stringify(fields), { 'content-type': 'application/json', ...accept })
  return verdictOn(answer.statusCode, answer.statusCode < 400 ? null : answer.json().code)
}

describe.each([...procedures.keys()])('%s', (path) => {
  it('answers every caller over every transport as it says it does', async () => {
    const row = getBadInputRow(path)
    const type = procedures.get(path)?.type
    const route = restRoutes.find(({ procedure }) => procedure === path)
    const input = harmlessInput(row)
    const isChange = type === 'mutation' && Object.keys(row.bad).length === 0
    const [met, expected]: [Record<string, string>, Record<string, string>] = [{}, {}]
    const meet = async (caller: Caller, transport: string, call: (headers: Headers) => Promise<string>) => {
      const needsPlayer = transport === 'REST' ? route?.access === 'player' : row.isSignedIn === true
      const name = `${caller} over ${transport}`
      expected[name] = predictResult(caller, { path, needsPlayer })
      // A fresh caller, so that a change by this call does not affect the next one.
      const isSpent = isChange && expected[name] === REACHED
      met[name] = await call(isSpent ? await makeCaller(caller) : (headersOf.get(caller) ?? {}))
    }
    for (const caller of CALLERS) {
      if (type !== 'subscription') await meet(caller, 'tRPC', (headers) => overHttp(path, input, headers))
      if (type !== 'subscription') await meet(caller, 'a batch', (headers) => overBatch(path, input, headers))
      await meet(caller, 'a socket', (headers) => overSocket(path, input, headers))
      if (route !== undefined) await meet(caller, 'REST', (headers) => overRest(route, input, headers))
    }
    expect(met).toEqual(expected)
  })
})

it('none of it was an error of ours', () => {
  expect(errorsIn(server)).toEqual([])
})
