import { procedures } from '@papermoon/contract'
import type { LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { BadInputError } from '../../src/errors.ts'
import { createEmailLink } from '../../src/features/account/email/email-links.ts'
import { restRoutes } from '../../src/http/rest/routes.ts'
import { toUploadName } from '../../src/storage/object-names.ts'
import type { UploadKey } from '../../src/storage/object-store.ts'
import { assertKnownProperties } from '../../src/validation/known-properties.ts'
import { configureZod, createBadInput, listFieldErrors } from '../../src/validation/messages.ts'
import { assertPlainInput, openEnvelope } from '../../src/validation/plain-input.ts'
import {
  AN_UPLOAD,
  type BadInputRow,
  badInputs,
  getBadInputRow,
  heavyInputs,
  NOT_OBJECTS,
  publishLongAgo,
  typedEnvelopes,
  type UnknownInput,
  unknownInputs,
} from '../support/bad-input.ts'
import { factorInputs } from '../support/factors/factor-inputs.ts'
import { prepareFair } from '../support/fairs.ts'
import { moderator } from '../support/moderators.ts'
import { aPng } from '../support/pictures.ts'
import { prepareTalk } from '../support/talk.ts'
import { errorsIn, openSocket, registration, shareTestServer, type Visitor } from '../support/test-server.ts'

const MISSING_ID = 2_000_000_000
/** Tables a refused call, or a background job meanwhile, may write to; and why. */
const WRITTEN_BY_REFUSALS: Readonly<Record<string, string>> = {
  account_events: 'a wrong password or code is an event of the account',
  audits: 'the journal is audited in the background, first after five minutes',
  giveaway_windows: 'windows are closed in the background, at 00, 06, 12 and 18 h UTC',
  head_publications: 'heads are published in the background',
  notice_causes: 'stickers are told in the background',
  notice_position: 'the market is followed in the background',
  notices: 'stickers are told in the background',
  published_heads: 'heads are published in the background',
  stickers: 'stickers are given in the background',
  window_winners: 'windows are closed in the background',
}
/** Noted in the background each five minutes that a session or key is used. */
const NOTED_USE = ['last_used_at', 'address', 'browser']
const TOO_LARGE = `{"padding":"${'x'.repeat(40_000)}"}`

configureZod()

const server = await shareTestServer({ hasJobs: true, env: { SHOW_RESET_CODES: 'on' } })
server.passToNoon()
const player = await server.player('player-1')
const guest = server.visitor()
const boss = await moderator(server, 'boss', 'operator')
await player.launch({ initialBuyAmount: '1' })
await player.launch()
await publishLongAgo(server.db)
await server.app.platform.objects.write(toUploadName(AN_UPLOAD as UploadKey), await aPng(), 'image/png')
const port = await server.listen()

/** The rows of every table as text, by table. */
async function readDatabase(): Promise<Record<string, string | null>> {
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' order by tablename`.execute(server.db)
  const reads = tables.rows
    .filter(({ name }) => !(name in WRITTEN_BY_REFUSALS))
    .map(
      ({ name }) =>
        sql`select ${name}::text as name, (select json_agg(to_jsonb(t) - ${NOTED_USE}::text[] order by t::text)::text from ${sql.table(name)} t) as rows`,
    )
  const { rows } = await sql<{ name: string; rows: string | null }>`${sql.join(reads, sql` union all `)}`.execute(
    server.db,
  )
  return Object.fromEntries(rows.map((table) => [table.name, table.rows]))
}

function listInputs(row: BadInputRow): unknown[] {
  return Object.entries(row.bad).flatMap(([field, values]) =>
    values.map((value) => {
      const { [field]: _replaced, ...others } = row.valid
      return value === undefined ? others : { ...others, [field]: value }
    }),
  )
}

const OUR_FAULT = 'Something went wrong on our side.'

/** Whether a refusal is one plain sentence that does not blame the server. */
function isSentence(sentence: unknown): boolean {
  const isPlain = typeof sentence === 'string' && /^\S[^\n]{0,330}[.?]$/.test(sentence)
  return isPlain && !sentence.includes('Error') && sentence !== OUR_FAULT
}

const isForPlayers = (path: string) => procedures.get(path)?.access === 'player'
const visitorFor = (path: string) => {
  if (procedures.get(path)?.role !== undefined) return boss
  return isForPlayers(path) ? player : guest
}
const readSentence = (answer: LightMyRequestResponse): unknown => answer.json().error?.json?.message

function call(path: string, input: unknown): Promise<LightMyRequestResponse> {
  const visitor = visitorFor(path)
  return procedures.get(path)?.type === 'query' ? visitor.query(path, input) : visitor.mutate(path, input)
}

/** Undefined for a subscription. */
const findRoute = (path: string) => restRoutes.find(({ procedure }) => procedure === path)

function sendRest(path: string, input: unknown): Promise<LightMyRequestResponse> {
  const route = findRoute(path)
  if (route === undefined) throw new Error(`${path} has no route`)
  const visitor = visitorFor(path)
  const fields: Record<string, unknown> = { ...Object(input) }
  const url = route.path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => {
    const value = String(fields[name])
    delete fields[name]
    return encodeURIComponent(value)
  })
  if (route.method !== 'GET') {
    const body = JSON.stringify(Array.isArray(input) || typeof input !== 'object' ? input : fields)
    return visitor.raw(route.method, url, body, { 'content-type': 'application/json' })
  }
  const query = new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [name, toText(value)]),
  )
  return visitor.get(query.size > 0 ? `${url}?${query}` : url)
}

function toText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** As received over the wire. */
const received = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value, (_key, part) => part))

/** The sentence that refuses an input by the contract, as every transport does before the feature runs; null for one it takes. */
function refuseByContract(path: string, envelope: unknown): string | null {
  const schema = procedures.get(path)?.input ?? null
  try {
    const input = openEnvelope(received(envelope))
    assertPlainInput(input)
    assertKnownProperties(schema, input)
    const error = schema?.safeParse(input).error
    if (error !== undefined) throw createBadInput(listFieldErrors(error))
    return null
  } catch (error) {
    return error instanceof BadInputError ? error.message : `not refused but broken by: ${error}`
  }
}

/** Bad inputs that the contract takes: only the feature knows that they are. */
const leftToFeatures = Object.entries(badInputs).flatMap(([path, row]) =>
  listInputs(row)
    .filter((input) => refuseByContract(path, { json: input }) === null)
    .map((input) => ({ path, input })),
)

describe.each(Object.entries(badInputs))('the contract of %s', (path, row) => {
  const refusals = (envelopes: readonly unknown[]) => envelopes.map((envelope) => refuseByContract(path, envelope))

  it('refuses what is no object, and values of the wrong kind, with one plain sentence', () => {
    const inputs = [...listInputs(row), ...NOT_OBJECTS].map((json) => ({ json }))
    const sentences = refusals(inputs).filter((sentence) => sentence !== null)
    expect(sentences.filter((sentence) => !isSentence(sentence))).toEqual([])
    expect(refusals(NOT_OBJECTS.map((json) => ({ json })))).not.toContain(null)
  })

  it('names an unknown property', () => {
    for (const unknown of unknownInputs(row)) {
      expect(refuseByContract(path, { json: unknown.input })).toMatch(namesIt(unknown))
    }
  })

  it('refuses input that is expensive to read, and objects that superjson would construct', () => {
    expect(refusals(heavyInputs(row).map((json) => ({ json })))).not.toContain(null)
    expect(refusals(typedEnvelopes(row))).not.toContain(null)
  })
})

/** Matches the sentence that names an unknown property and, if one was misspelt, the right one. */
function namesIt({ name, field }: UnknownInput): RegExp {
  return new RegExp(`^${name} is unknown${field === null ? '\\.' : `; did you mean ${field}\\?`}$`)
}

describe('refused calls', () => {
  let before: Record<string, string | null>
  beforeAll(async () => {
    before = await readDatabase()
  })

  it('are those, too, of input that only the feature knows to be bad', async () => {
    expect(leftToFeatures.length).toBeGreaterThan(20)
    const faults: string[] = []
    for (const { path, input } of leftToFeatures) {
      if (procedures.get(path)?.type === 'subscription') {
        const [refusal] = await refusalsOverSocket(path, [{ json: input }])
        if (!isSentence(Object(refusal).message)) faults.push(`${path} ${JSON.stringify(input)} is taken`)
        continue
      }
      const answer = await call(path, input)
      const { statusCode } = answer
      if (statusCode >= 400 && statusCode < 500 && isSentence(readSentence(answer))) continue
      faults.push(`${path} ${JSON.stringify(input).slice(0, 200)}: ${statusCode} ${answer.body.slice(0, 200)}`)
    }
    expect(faults).toEqual([])
  })

  it.each(['tokens.get', 'trading.buy', 'live.token'])('of %s answer 400 over every transport', async (path) => {
    const row = getBadInputRow(path)
    const type = procedures.get(path)?.type
    const [bad = {}] = listInputs(row)
    const unknown = unknownInputs(row).map(({ input }) => input)
    const plain = [bad, ...unknown, ...heavyInputs(row)]
    const envelopes = [...[...plain, ...NOT_OBJECTS].map((json) => ({ json })), ...typedEnvelopes(row)]
    const overSocket = await refusalsOverSocket(path, envelopes)
    expect(overSocket.map((error) => Object(error).data?.httpStatus)).toEqual(envelopes.map(() => 400))
    if (type === 'subscription') return
    const overHttp = await Promise.all(envelopes.map((envelope) => callRaw(path, JSON.stringify(envelope))))
    expect(overHttp.map(({ statusCode }) => statusCode)).toEqual(envelopes.map(() => 400))
    const overRest = await Promise.all(plain.map((input) => sendRest(path, input)))
    expect(overRest.map(({ statusCode }) => statusCode)).toEqual(plain.map(() => 400))
    expect(overRest.filter(({ body }) => !isSentence(body)).map(({ body }) => body)).toEqual([])
  })

  it.each(['tokens.get', 'trading.buy'])(
    'of %s are those with other parameters than its own, or one twice',
    async (path) => {
      const { valid } = getBadInputRow(path)
      const { method = 'GET', path: address = '' } = findRoute(path) ?? {}
      const url = address.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => encodeURIComponent(String(valid[name])))
      const [field = 'zzz'] = Object.keys(valid)
      const overTrpc = [`/trpc/${path}?${field}=1`, `/trpc/${path}?batch=2`, `/trpc/${path}?batch=1&batch=1`]
      const overRest = [`${url}?zzz=1`, `${url}?${field}=1&${field}=2`, `${url}?__proto__=1`]
      const trpcMethod = procedures.get(path)?.type === 'mutation' ? 'POST' : 'GET'
      for (const address of overTrpc)
        expect((await player.send({ method: trpcMethod, url: address })).statusCode).toBe(400)
      for (const address of overRest) expect((await player.send({ method, url: address })).statusCode).toBe(400)
    },
  )

  it.each(['trading.buy', 'account.declareBot', 'alerts.remove'])(
    'of %s are those whose body is broken, too large, or of another type',
    async (path) => {
      const { valid } = getBadInputRow(path)
      const { method, path: address } = findRoute(path) ?? {}
      const json = { 'content-type': 'application/json' }
      for (const [verb, url] of [
        ['POST', `/trpc/${path}`],
        [method, address],
      ] as ['POST' | 'PUT' | 'DELETE', string][]) {
        const answers = [
          await player.raw(verb, url, '{"broken', json),
          await player.raw(verb, url, TOO_LARGE, json),
          await player.raw(verb, url, JSON.stringify(valid), { 'content-type': 'text/plain' }),
          await player.raw(verb, url, 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }),
          await player.raw(verb, url, JSON.stringify(valid)),
        ]
        expect(answers.map((answer) => answer.statusCode)).toEqual([400, 413, 415, 415, 415])
        const sentences = answers.map((answer) => (url.startsWith('/trpc') ? readSentence(answer) : answer.body))
        expect(sentences.filter((sentence) => !isSentence(sentence))).toEqual([])
      }
    },
  )

  it('are those for an id that nobody has, with 404', async () => {
    const found: string[] = []
    for (const [path, { id, valid }] of Object.entries(badInputs)) {
      if (id === undefined) continue
      const input = { ...valid, [id]: MISSING_ID }
      const answers = [await call(path, input), await sendRest(path, input)]
      if (answers.some(({ statusCode }) => statusCode !== 404)) found.push(path)
    }
    expect(found).toEqual([])
  })

  it('changed no table, and were no error of ours', async () => {
    const hint = 'a refused call wrote to a table; an intended one belongs into WRITTEN_BY_REFUSALS of this file'
    expect(await readDatabase(), hint).toEqual(before)
    expect(errorsIn(server)).toEqual([])
  })
})

function callRaw(path: string, input: string): Promise<LightMyRequestResponse> {
  return procedures.get(path)?.type === 'mutation'
    ? visitorFor(path).raw('POST', `/trpc/${path}`, input, { 'content-type': 'application/json' })
    : visitorFor(path).get(`/trpc/${path}?input=${encodeURIComponent(input)}`)
}

/** Sends one call after another over one socket and returns the errors of their answers. */
async function refusalsOverSocket(path: string, envelopes: readonly unknown[]): Promise<unknown[]> {
  const { cookie } = visitorFor(path)
  const listener = await openSocket(`ws://127.0.0.1:${port}/trpc`, cookie === undefined ? {} : { cookie })
  const refusals: unknown[] = []
  for (const [id, input] of envelopes.entries()) {
    listener.send({ id, method: procedures.get(path)?.type, params: { path, input } })
    refusals.push(Object(await listener.next()).error?.json)
  }
  listener.socket.close()
  return refusals
}

interface Prepared {
  readonly visitor: Visitor
  /** Fields that replace those of the row's valid input. */
  readonly more: Readonly<Record<string, unknown>>
}

/** Sets up what a procedure's valid input needs: a player in a certain state, or something to act on. */
const prepare: Readonly<Record<string, () => Promise<Prepared>>> = {
  'account.reset': async () => {
    const visitor = await server.player('poor')
    await server.db
      .updateTable('accounts')
      .from('users')
      .set({ sol_balance: '1' })
      .whereRef('user_id', '=', 'users.id')
      .where('username', '=', 'poor')
      .execute()
    return { visitor, more: {} }
  },
  'alerts.remove': async () => {
    const alert = { tokenId: 1, measure: 'percent', value: '900' }
    const { id } = (await player.post('/api/alerts', alert)).json()
    return { visitor: player, more: { id } }
  },
  'keys.revoke': async () => {
    const { id } = (await player.post('/api/keys', { name: 'to be revoked', scopes: ['read'] })).json()
    return { visitor: player, more: { id } }
  },
  'webhooks.test': () => withWebhook('tester'),
  'webhooks.rotate': () => withWebhook('rotator'),
  'webhooks.remove': () => withWebhook('remover'),
  'auth.resetPassword': async () => {
    const visitor = await server.player('forgetful')
    const { email } = registration('forgetful')
    const { resetToken } = (await visitor.post('/api/auth/forgot-password', { email })).json()
    return { visitor, more: { token: resetToken } }
  },
  'orders.get': async () => {
    await player.post('/api/tokens/buy', { tokenId: 1, solAmount: '0.1', requestId: 'placed-1' })
    return { visitor: player, more: { key: 'placed-1' } }
  },
  'security.changePassword': async () => ({ visitor: await server.player('changer'), more: {} }),
  'security.verifyEmail': async () => {
    const visitor = await server.player('verifier')
    const { userId, email } = (await visitor.get('/api/auth/user')).json()
    return { visitor, more: { token: await createEmailLink(server.db, server.app, { userId, email }) } }
  },
  'security.endSession': async () => {
    const visitor = await server.player('ender')
    const [{ id }] = (await visitor.get('/api/account/sessions')).json()
    return { visitor, more: { id } }
  },
  'tape.buy': () => withPlay(),
  'tape.sell': () => withPlay(),
  'tape.result': async () => {
    const { visitor, more } = await withPlay()
    await visitor.post(`/api/tape/plays/${more.id}/buy`, {})
    const { day } = (await visitor.post(`/api/tape/plays/${more.id}/sell`, {})).json()
    return { visitor, more: { day } }
  },
  'tokens.rugStory': async () => {
    const id = await player.launch()
    await player.post(`/api/tokens/${id}/rug`, {})
    return { visitor: player, more: { id } }
  },
}

/** A new player with a webhook. */
async function withWebhook(name: string): Promise<Prepared> {
  const visitor = await server.player(name)
  const answer = await visitor.post('/api/webhooks', badInputs['webhooks.create']?.valid)
  return { visitor, more: { id: answer.json().id } }
}

/** A guest who has begun to play. */
async function withPlay(): Promise<Prepared> {
  const visitor = server.visitor()
  const { id } = (await visitor.post('/api/tape/plays', {})).json()
  return { visitor, more: { id } }
}

/** A new player with the second factor or passkey the procedure is about. */
async function prepareFactor(path: string): Promise<Prepared | undefined> {
  const toInput = factorInputs[path]
  if (toInput === undefined) return undefined
  const visitor = await server.player(path.replace('.', '-').slice(0, 32))
  return { visitor, more: await toInput(server, visitor) }
}

/** A new player with something said. */
async function prepareInTalk(path: string): Promise<Prepared | undefined> {
  if (!/^(talk|follows|reports)\./.test(path)) return undefined
  const visitor = await server.player(path.replace('.', '-').toLowerCase())
  const more = await prepareTalk(server, path, visitor)
  return more && { visitor, more }
}

/** A new player in a room of their own. */
async function prepareInFair(path: string): Promise<Prepared | undefined> {
  if (!path.startsWith('fairs.')) return undefined
  const visitor = await server.player(path.replace('.', '-'))
  const more = await prepareFair(server, path, visitor)
  return more && { visitor, more }
}

describe('the inputs that the table calls valid', () => {
  // If these were refused too, the refusals above would prove nothing.
  it('are taken', async () => {
    const refused: string[] = []
    for (const [path, row] of Object.entries(badInputs)) {
      // Those of moderators are in talk/moderation.test.ts.
      const { type, role } = procedures.get(path) ?? {}
      if (type === 'subscription' || role !== undefined) continue
      const own = { visitor: isForPlayers(path) ? player : server.visitor(), more: {} }
      const { visitor, more } =
        (await prepare[path]?.()) ??
        (await prepareFactor(path)) ??
        (await prepareInFair(path)) ??
        (await prepareInTalk(path)) ??
        own
      const input = { ...row.valid, ...more }
      const isQuery = procedures.get(path)?.type === 'query'
      const answer = isQuery ? await visitor.query(path, input) : await visitor.mutate(path, input)
      if (answer.statusCode !== 200) refused.push(`${path}: ${answer.statusCode} ${readSentence(answer)}`)
    }
    const hint =
      'set up what the example in the contract needs in prepare of this file, or name another in support/bad-input.ts'
    expect(refused, hint).toEqual([])
  })
})

describe('an amount with more decimals than its unit has', () => {
  it('is cut, not refused', async () => {
    const trader = await server.player('precise')
    const bought = await trader.post('/api/tokens/buy', { tokenId: 1, solAmount: '1.0000000009999' })
    expect(bought.json().trade.solAmount).toBe('1')
    const sold = await trader.post('/api/tokens/sell', { tokenId: 1, tokenAmount: '5.0000009999' })
    expect(sold.json().trade.tokenAmount).toBe('5')
  })
})
