import { procedures } from '@papermoon/contract'
import type { LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { BadInputError } from '../../src/errors.ts'
import { type RestRoute, restRoutes } from '../../src/http/rest/routes.ts'
import type { UploadKey } from '../../src/storage/object-store.ts'
import { toUploadName } from '../../src/storage/object-store.ts'
import { assertKnownProperties } from '../../src/validation/known-properties.ts'
import { configureZod, createBadInput, listFieldErrors } from '../../src/validation/messages.ts'
import { assertPlainInput, openEnvelope } from '../../src/validation/plain-input.ts'
import {
  AN_UPLOAD,
  type BadInputRow,
  badInputs,
  getBadInputRow,
  NOT_OBJECTS,
  publishLongAgo,
} from '../support/bad-input.ts'
import { moderator } from '../support/moderators.ts'
import { aPng } from '../support/pictures.ts'
import { callOverSocket, sendCall, sendRest } from '../support/send-call.ts'
import { errorsIn, shareTestServer } from '../support/test-server.ts'

const MISSING_ID = 2_000_000_000
/** Tables that a rejected call may write to, and why. */
const WRITTEN_BY_REFUSALS: Readonly<Record<string, string>> = {
  account_events: 'a wrong password or code is an event of the account',
}
/** Columns that are written at most every five minutes while a session or key is in use. */
const NOTED_USE = ['last_used_at', 'address', 'browser']
/** Procedures that the contract's example cannot call, because only an authenticator can create a valid credential. */
const WITHOUT_EXAMPLE = ['auth.loginWithPasskey', 'passkeys.add']
const TOO_LARGE = `{"padding":"${'x'.repeat(40_000)}"}`

configureZod()

const server = await shareTestServer()
const player = await server.player('player-1')
const guest = server.visitor()
const boss = await moderator(server, 'boss', 'operator')
await player.launch({ initialBuyAmount: '1' })
await player.launch()
await publishLongAgo(server.db)
await server.app.platform.objects.write(toUploadName(AN_UPLOAD as UploadKey), await aPng(), 'image/png')
const port = await server.listen()

/** Returns the rows of every table as text. */
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

/** Returns whether an error is one plain sentence that does not blame the server. */
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

const call = (path: string, envelope: unknown) =>
  sendCall(visitorFor(path), path, { envelope: JSON.stringify(envelope) })
const callRest = (path: string, input: unknown) => sendRest(visitorFor(path), findRoute(path) as RestRoute, { input })
const callSocket = (path: string, inputs: readonly unknown[]) => {
  const { cookie } = visitorFor(path)
  return callOverSocket(port, path, { inputs, headers: cookie === undefined ? {} : { cookie } })
}

/** Returns the REST route of a procedure, or undefined for a subscription. */
const findRoute = (path: string) => restRoutes.find(({ procedure }) => procedure === path)

/** Returns the value as it arrives after sending it as JSON. */
const received = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value, (_key, part) => part))

/**
 * Returns the error by which the contract rejects an input, before the feature runs, or null if it accepts the input.
 */
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

/** Bad inputs that the contract accepts, because only the feature can find the error. */
const leftToFeatures = Object.entries(badInputs).flatMap(([path, row]) =>
  listInputs(row)
    .filter((input) => refuseByContract(path, { json: input }) === null)
    .map((input) => ({ path, input })),
)

describe.each(Object.entries(badInputs))('the contract of %s', (path, row) => {
  const refusals = (envelopes: readonly unknown[]) => envelopes.map((envelope) => refuseByContract(path, envelope))

  it('rejects inputs that are not objects and values of the wrong kind, with one plain sentence', () => {
    const inputs = [...listInputs(row), ...NOT_OBJECTS].map((json) => ({ json }))
    const sentences = refusals(inputs).filter((sentence) => sentence !== null)
    expect(sentences.filter((sentence) => !isSentence(sentence))).toEqual([])
    expect(refusals(NOT_OBJECTS.map((json) => ({ json })))).not.toContain(null)
  })

  // If the valid input was rejected too, the other rejections would prove nothing.
  it.skipIf(procedures.get(path)?.role !== undefined)('accepts the valid input', () => {
    const isTaken = refuseByContract(path, { json: row.valid }) === null
    expect(isTaken).toBe(!WITHOUT_EXAMPLE.includes(path))
  })
})

describe('rejected calls', () => {
  let before: Record<string, string | null>
  beforeAll(async () => {
    before = await readDatabase()
  })

  it('include input that only the feature can reject', async () => {
    expect(leftToFeatures.length).toBeGreaterThan(20)
    const faults: string[] = []
    for (const { path, input } of leftToFeatures) {
      if (procedures.get(path)?.type === 'subscription') {
        const [refusal] = await callSocket(path, [{ json: input }])
        if (!isSentence(refusal?.message)) faults.push(`${path} ${JSON.stringify(input)} is taken`)
        continue
      }
      const answer = await call(path, { json: input })
      const { statusCode } = answer
      if (statusCode >= 400 && statusCode < 500 && isSentence(readSentence(answer))) continue
      faults.push(`${path} ${JSON.stringify(input).slice(0, 200)}: ${statusCode} ${answer.body.slice(0, 200)}`)
    }
    expect(faults).toEqual([])
  })

  it.each(['tokens.get', 'trading.buy', 'live.token'])('of %s get 400 over every transport', async (path) => {
    const row = getBadInputRow(path)
    const type = procedures.get(path)?.type
    const [bad = {}] = listInputs(row)
    const deep = JSON.parse(`${'['.repeat(1_000)}${']'.repeat(1_000)}`)
    const plain = [bad, { ...row.valid, zzz: 1 }, { ...row.valid, toString: 1 }, { ...row.valid, id: deep }]
    const typed = { json: row.valid, meta: { values: ['Date'] } }
    const envelopes = [...[...plain, ...NOT_OBJECTS].map((json) => ({ json })), typed]
    const overSocket = await callSocket(path, envelopes)
    expect(overSocket.map(({ data }) => data?.httpStatus)).toEqual(envelopes.map(() => 400))
    if (type === 'subscription') return
    const overHttp = await Promise.all(envelopes.map((envelope) => call(path, envelope)))
    expect(overHttp.map(({ statusCode }) => statusCode)).toEqual(envelopes.map(() => 400))
    const overRest = await Promise.all(plain.map((input) => callRest(path, input)))
    expect(overRest.map(({ statusCode }) => statusCode)).toEqual(plain.map(() => 400))
    expect(overRest.filter(({ body }) => !isSentence(body)).map(({ body }) => body)).toEqual([])
  })

  it.each(['tokens.get', 'trading.buy'])(
    'of %s include unknown parameters and parameters that occur twice',
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
    'of %s include bodies that are broken, too large, or of another type',
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

  it('get 404 for an id that does not exist', async () => {
    const found: string[] = []
    for (const [path, { id, valid }] of Object.entries(badInputs)) {
      if (id === undefined) continue
      const input = { ...valid, [id]: MISSING_ID }
      const answers = [await call(path, { json: input }), await callRest(path, input)]
      if (answers.some(({ statusCode }) => statusCode !== 404)) found.push(path)
    }
    expect(found).toEqual([])
  })

  it('have changed no table and logged no error', async () => {
    const hint = 'a refused call wrote to a table; an intended one belongs into WRITTEN_BY_REFUSALS of this file'
    expect(await readDatabase(), hint).toEqual(before)
    expect(errorsIn(server)).toEqual([])
  })
})

describe('an amount with more decimals than its unit', () => {
  it('is truncated, not rejected', async () => {
    const trader = await server.player('precise')
    const bought = await trader.post('/api/tokens/buy', { tokenId: 1, solAmount: '1.0000000009999' })
    expect(bought.json().trade.solAmount).toBe('1')
    const sold = await trader.post('/api/tokens/sell', { tokenId: 1, tokenAmount: '5.0000009999' })
    expect(sold.json().trade.tokenAmount).toBe('5')
  })
})
