import { procedures } from '@papermoon/contract'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { createEmailLink } from '../../../src/features/account/email/email-links.ts'
import { createOpenApiDocument, VIEWS } from '../../../src/http/rest/openapi/document.ts'
import { EVENTS_PATH } from '../../../src/http/rest/openapi/event-operation.ts'
import { restRoutes } from '../../../src/http/rest/routes.ts'
import { toUploadName } from '../../../src/storage/object-names.ts'
import type { UploadKey } from '../../../src/storage/object-store.ts'
import { type BadInputRow, badInputs, getBadInputRow, NOT_OBJECTS, publishLongAgo } from '../../support/bad-input.ts'
import { factorInputs } from '../../support/factors/factor-inputs.ts'
import { prepareFair } from '../../support/fairs.ts'
import {
  closeSchema,
  findResponse,
  listDescribedCodes,
  type Operation,
  readOpenApi,
} from '../../support/openapi-document.ts'
import { aPng } from '../../support/pictures.ts'
import { prepareTalk } from '../../support/talk.ts'
import { createTestServer, errorsIn, registration, shareTestServer, type Visitor } from '../../support/test-server.ts'
import { WAIT_MAX_MS } from '../../support/wait.ts'

/** An operation with its path and method. */
interface Place extends Operation {
  /** Name of its procedure, by which the table of bad input lists it. */
  readonly procedure: string
  readonly path: string
  readonly method: InjectOptions['method'] & string
}

type Input = Readonly<Record<string, unknown>>

/** Accept headers for the two forms of a refusal. */
const ACCEPTS = ['*/*', 'application/json'] as const
const JSON_TYPE = { 'content-type': 'application/json' }
const MISSING_ID = 2_000_000_000
/** More calls than the widest limit allows. */
const CALLS_TO_THE_LIMIT = 1_201
const CALLER = { ip: '127.0.0.1', header: () => {} }

const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }))
ajv.addFormat('decimal', /^-?\d+(\.\d+)?$/)
/** By the schema's text: most of the document's schemas are copies of few. */
const validators = new Map<string, ValidateFunction>()
const texts = new Map<object, string>()

const server = await shareTestServer({ env: { SHOW_RESET_CODES: 'on' } })
const guest = server.visitor()
const reader = await server.player()
const document = await readOpenApi(guest)
// Streams have tests of their own: event-source.test.ts and history.test.ts.
const answered = Object.entries(document.paths).filter(
  ([path]) => path !== EVENTS_PATH && !path.startsWith('/api/exports/'),
)
const places = answered.flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    procedure: findProcedure(operation.operationId),
    path,
    method: method.toUpperCase() as Place['method'],
  })),
)
const launcher = await server.player('launcher')
await launcher.launch({ initialBuyAmount: '1' })
await publishLongAgo(server.db)

function findProcedure(operationId: string): string {
  return restRoutes.find((route) => route.operationId === operationId)?.procedure ?? operationId
}

/** Validation errors as text; empty if the value matches the schema. */
function findFaults(schema: object, value: unknown): string {
  const text = texts.get(schema) ?? JSON.stringify(schema)
  texts.set(schema, text)
  const validate = validators.get(text) ?? ajv.compile(closeSchema(schema) as object)
  validators.set(text, validate)
  return validate(value) ? '' : ajv.errorsText(validate.errors)
}

/** How an answer differs from the document; null if it does not. */
function surpriseIn(place: Place, answer: LightMyRequestResponse, sent: unknown): string | null {
  const name = `${place.operationId} sent ${JSON.stringify(sent)?.slice(0, 160)}: ${answer.statusCode}`
  const described = findResponse(place, answer.statusCode)
  if (described === undefined) return `${name} is not described: ${answer.body.slice(0, 160)}`
  const type = String(answer.headers['content-type']).split(';')[0] ?? ''
  const media = described.content[type]
  if (media === undefined) return `${name} with the type ${type} is not described`
  const body = type === 'text/plain' ? answer.body : answer.json()
  if (type === 'application/problem+json') {
    const isListed = listDescribedCodes(document, place.method, place).has(body.code)
    if (!isListed || body.status !== answer.statusCode)
      return `${name} has a code that is not described: ${answer.body}`
  }
  const faults = findFaults(media.schema, body)
  return faults === '' ? null : `${name} has a body that is not described: ${faults}; ${answer.body.slice(0, 300)}`
}

function send(visitor: Visitor, place: Place, input: unknown, headers: Record<string, string> = {}) {
  const fields: Record<string, unknown> = typeof input === 'object' && !Array.isArray(input) ? { ...input } : {}
  const take = (name: string) => {
    const value = fields[name]
    delete fields[name]
    return typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
  const url = place.path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => encodeURIComponent(take(name)))
  if (place.method === 'GET') {
    const query = new URLSearchParams(Object.keys(fields).map((name): [string, string] => [name, take(name)]))
    return visitor.send({ method: 'GET', url: query.size > 0 ? `${url}?${query}` : url, headers })
  }
  const body = JSON.stringify(Array.isArray(input) || typeof input !== 'object' ? input : fields)
  return visitor.send({ method: place.method, url, payload: body, headers: { ...JSON_TYPE, ...headers } })
}

/** One bad input for each field of the operation, without texts that would change its path. */
function listBadInputs(place: Place): unknown[] {
  const { valid = {}, bad = {} }: Partial<BadInputRow> = badInputs[place.procedure] ?? {}
  const inputs = Object.entries(bad).flatMap(([field, values]) =>
    values
      .filter((value) => !place.path.includes(`{${field}}`) || (value !== '' && !hasLoneSurrogate(value)))
      .slice(-1)
      .map((value) => {
        const { [field]: _replaced, ...others } = valid
        return value === undefined && !place.path.includes(`{${field}}`) ? others : { ...others, [field]: value }
      }),
  )
  const missing = place.path.match(/\{(\w+)\}/)?.[1]
  return [
    ...inputs,
    ...(missing ? [{ ...valid, [missing]: MISSING_ID }] : []),
    ...(place.method === 'GET' ? [] : NOT_OBJECTS),
  ]
}

function hasLoneSurrogate(value: unknown): boolean {
  return typeof value === 'string' && !value.isWellFormed()
}

const readId = async (visitor: Visitor): Promise<number> => (await visitor.get('/api/auth/user')).json().id

/** Makes valid input for operations whose row in the table of bad input is not enough. */
const makeAlert = async (player: Visitor): Promise<number> =>
  (await player.post('/api/alerts', getBadInputRow('alerts.create').valid)).json().id

const makeWebhook = async (player: Visitor): Promise<number> =>
  (await player.post('/api/webhooks', getBadInputRow('webhooks.create').valid)).json().id

const beginTape = async (player: Visitor): Promise<string> => (await player.post('/api/tape/plays', {})).json().id

/** Plays today's tape to its end; answers the day. */
const playTape = async (player: Visitor): Promise<string> => {
  const id = await beginTape(player)
  await player.post(`/api/tape/plays/${id}/buy`, {})
  return (await player.post(`/api/tape/plays/${id}/sell`, {})).json().day
}

const prepare: Readonly<Record<string, (player: Visitor) => Promise<Input>>> = {
  'account.reset': async (player) => {
    const id = await readId(player)
    await server.db.updateTable('accounts').set({ sol_balance: '1' }).where('user_id', '=', id).execute()
    return {}
  },
  'auth.login': async () => ({ email: registration('launcher').email, password: 'secret-1' }),
  'auth.resetPassword': async (player) => {
    const email = `${(await player.get('/api/auth/user')).json().username}@papermoon.example`
    const { resetToken } = (await player.post('/api/auth/forgot-password', { email })).json()
    return { token: resetToken, newPassword: 'secret-2' }
  },
  'alerts.list': async (player) => {
    await makeAlert(player)
    return {}
  },
  'alerts.remove': async (player) => ({ id: await makeAlert(player) }),
  'keys.list': async (player) => {
    await player.post('/api/keys', { name: 'listed', scopes: ['read'] })
    return {}
  },
  'keys.revoke': async (player) => ({
    id: (await player.post('/api/keys', { name: 'revoked', scopes: ['read'] })).json().id,
  }),
  'orders.list': async (player) => {
    await player.launch({ initialBuyAmount: '0.1', requestId: 'listed-1' })
    return {}
  },
  'orders.get': async (player) => {
    await player.launch({ initialBuyAmount: '0.1', requestId: 'found-1' })
    return { key: 'found-1' }
  },
  'webhooks.list': async (player) => {
    await makeWebhook(player)
    return {}
  },
  'webhooks.test': async (player) => ({ id: await makeWebhook(player) }),
  'webhooks.rotate': async (player) => ({ id: await makeWebhook(player) }),
  'webhooks.remove': async (player) => ({ id: await makeWebhook(player) }),
  'portfolio.get': async (player) => ({ userId: await readId(player) }),
  'security.changeEmail': async (player) => ({
    password: 'secret-1',
    email: `${await readId(player)}@moon.example`,
  }),
  'security.verifyEmail': async (player) => {
    const { userId, email } = (await player.get('/api/auth/user')).json()
    return { token: await createEmailLink(server.db, server.app, { userId, email }) }
  },
  'security.endSession': async (player) => ({ id: (await player.get('/api/account/sessions')).json()[0].id }),
  'tape.today': async (player) => {
    await playTape(player)
    return {}
  },
  'tape.buy': async (player) => ({ id: await beginTape(player) }),
  'tape.sell': async (player) => ({ id: await beginTape(player) }),
  'tape.result': async (player) => ({ day: await playTape(player) }),
  'tokens.rugStory': async (player) => {
    const id = await player.launch()
    await player.post(`/api/tokens/${id}/rug`, {})
    return { id }
  },
  'trading.rug': async (player) => ({ id: await player.launch() }),
  'trading.seal': async (player) => ({ id: await player.launch(), term: 'day' }),
  'trading.sell': async (player) => {
    await player.post('/api/tokens/buy', { tokenId: 1, solAmount: '1' })
    return { tokenId: 1, tokenAmount: '10' }
  },
  'uploads.setProfilePicture': async (player) => {
    const upload = `${await readId(player)}-${'0'.repeat(32)}` as UploadKey
    await server.app.platform.objects.write(toUploadName(upload), await aPng(), 'image/png')
    return { profilePictureUrl: `/objects/uploads/${upload}` }
  },
}

/** A valid call by a new player who has launched a token. */
async function validCall(place: Place): Promise<LightMyRequestResponse> {
  const player = await server.player()
  await player.launch({ initialBuyAmount: '1' })
  const { procedure } = place
  const made =
    (await prepare[procedure]?.(player)) ??
    (await factorInputs[procedure]?.(server, player)) ??
    (await prepareFair(server, procedure, player)) ??
    (await prepareTalk(server, procedure, player))
  const input = made ?? getBadInputRow(procedure).valid
  return send(player, place, input)
}

const operationsOfRoutes = restRoutes.map(({ procedure }) => procedure)
const findPlace = (id: string): Place => {
  const place = places.find(({ procedure }) => procedure === id)
  if (place === undefined) throw new Error(`${id} is not in the document`)
  return place
}

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    for (const view of VIEWS) {
      const served = (await guest.get(`/api/openapi.json?view=${view}`)).json()
      expect([view, await validator.validate(served)]).toEqual([view, { valid: true }])
      expect(validator.version).toBe('3.1')
    }
  })

  it('describes the operation of every route', () => {
    expect(places.map(({ procedure }) => procedure).sort()).toEqual([...operationsOfRoutes].sort())
  })

  it('has a summary and an example of every request, answer and error code, each as its schema says', () => {
    const faults: string[] = []
    const check = (where: string, schema: object, example: unknown) => {
      const fault = example === undefined ? 'has no example' : findFaults(schema, example)
      if (fault !== '') faults.push(`${where}: ${fault}`)
    }
    for (const place of places) {
      expect(place).toMatchObject({
        summary: expect.stringMatching(/^[A-Z][^.]*$/),
        description: expect.stringMatching(/^[A-Z].*\.$/),
      })
      for (const { name, required, schema, example } of place.parameters ?? []) {
        if (required || example !== undefined) check(`${place.operationId} ${name}`, schema, example)
      }
      for (const [type, media] of Object.entries(place.requestBody?.content ?? {})) {
        check(`${place.operationId} ${type}`, media.schema, media.example)
      }
      for (const [status, { content }] of Object.entries(place.responses)) {
        for (const [type, { schema, example, examples }] of Object.entries(content)) {
          const shown = examples === undefined ? [example] : Object.values(examples).map(({ value }) => value)
          expect(shown.length).toBeGreaterThan(0)
          for (const value of shown) check(`${place.operationId} ${status} ${type}`, schema, value)
        }
      }
    }
    expect(faults).toEqual([])
  })
})

describe('a document without an example of a call', () => {
  it('is not made, and says where to add one', () => {
    const [route] = restRoutes.map(({ entry: { example: _none, ...entry }, ...known }) => ({ ...known, entry }))
    expect(() => createOpenApiDocument({ publicUrl: null, communityUrl: '' }, 'full', route && [route])).toThrow(
      `${route?.procedure} has no example in packages/contract`,
    )
  })
})

describe.each(operationsOfRoutes)('%s', (id) => {
  it('answers a valid call with success, as described', async () => {
    const place = findPlace(id)
    const answer = await validCall(place)
    expect(surpriseIn(place, answer, 'valid input')).toBeNull()
    const hint =
      'correct the valid input of its row in badInputs in apps/api/test/support/bad-input.ts, ' +
      'or set up what it needs in prepare of apps/api/test/http/rest/openapi.test.ts'
    expect([answer.statusCode, answer.body], hint).toEqual([
      answer.statusCode < 300 ? answer.statusCode : 200,
      answer.body,
    ])
  })

  it('answers bad input as described, in text and in problem details', async () => {
    const place = findPlace(id)
    const visitor = procedures.get(id)?.access === 'player' ? reader : guest
    const surprises: (string | null)[] = []
    for (const [index, input] of listBadInputs(place).entries()) {
      const accept = ACCEPTS[index % ACCEPTS.length] ?? '*/*'
      surprises.push(surpriseIn(place, await send(visitor, place, input, { accept }), input))
    }
    expect(surprises.filter((surprise) => surprise !== null)).toEqual([])
  })
})

/** A procedure of each method. */
const ONE_OF_EACH = ['tokens.get', 'trading.buy', 'watchlist.add', 'alerts.remove']

describe.each(ONE_OF_EACH)('%s', (id) => {
  it('answers requests that break the rules of REST as described', async () => {
    const place = findPlace(id)
    const { valid = {} } = badInputs[id] ?? {}
    const url = place.path.replaceAll(/\{\w+\}/g, String(MISSING_ID))
    const bodies = [
      ['{"broken', 'application/json'],
      [`{"padding":"${'x'.repeat(40_000)}"}`, 'application/json'],
      ['a=b', 'application/x-www-form-urlencoded'],
      ['<a/>', 'text/xml'],
    ]
    for (const accept of ACCEPTS) {
      const bearer = { accept, authorization: 'Bearer pm_nobody' }
      const answers = [
        await send(guest, place, valid, bearer),
        await send(reader, place, valid, { accept, origin: 'https://elsewhere.example' }),
        ...(await Promise.all(
          (place.method === 'GET' ? [] : bodies).map(([payload = '', type = '']) =>
            reader.send({ method: place.method, url, payload, headers: { 'content-type': type, accept } }),
          ),
        )),
      ]
      expect(answers.map((answer) => surpriseIn(place, answer, accept)).filter((found) => found !== null)).toEqual([])
      expect(answers[0]?.statusCode).toBe(401)
      if (accept !== '*/*') expect(answers[0]?.json().code).toBe('API_KEY_INVALID')
    }
  })
})

describe('the rules of the market', () => {
  it('refuse as described', async () => {
    const [creator, trader] = [await server.player('creator'), await server.player('trader')]
    const [open, closed] = [await creator.launch(), await creator.launch()]
    await trader.post('/api/tokens/buy', { tokenId: closed, solAmount: '1' })
    await creator.raw('POST', `/api/tokens/${closed}/rug`, '', JSON_TYPE)
    const key = { 'idempotency-key': 'used' }
    await trader.post('/api/tokens/buy', { tokenId: open, solAmount: '1' }, key)
    const { username, email } = registration('trader')
    const cases: [string, Input, number, Record<string, string>?][] = [
      ['trading.buy', { tokenId: open, solAmount: '1', minTokensOut: '999999999' }, 422],
      ['trading.buy', { tokenId: open, solAmount: '2' }, 422, key],
      ['trading.buy', { tokenId: open, solAmount: '5000' }, 422],
      ['trading.buy', { tokenId: open, solAmount: '0.000000001' }, 422],
      ['trading.buy', { tokenId: closed, solAmount: '1' }, 409],
      ['trading.sell', { tokenId: closed, tokenAmount: '1' }, 409],
      ['trading.sell', { tokenId: open, tokenAmount: '999999999' }, 422],
      ['trading.rug', { id: open }, 403],
      ['trading.rug', { id: closed }, 403],
      ['portfolio.get', { userId: 1 }, 403],
      ['account.reset', {}, 422],
      ['auth.register', { ...registration('someone-else'), username }, 409],
      ['auth.register', { ...registration('someone-else'), email }, 409],
      ['auth.login', { email, password: 'wrong-1' }, 401],
    ]
    for (const [id, input, status, headers = {}] of cases) {
      for (const accept of ACCEPTS) {
        const answer = await send(trader, findPlace(id), input, { ...headers, accept })
        expect([id, input, answer.statusCode, answer.body]).toEqual([id, input, status, answer.body])
        expect(surpriseIn(findPlace(id), answer, input)).toBeNull()
      }
    }
  })

  it('and none of this was logged as an error', () => {
    expect(errorsIn(server)).toEqual([])
  })
})

/** Calls an operation of each method; returns the statuses, and answers that differ from the document. */
async function callAll(visitor: Visitor): Promise<{ statuses: Set<number>; surprises: string[] }> {
  const statuses = new Set<number>()
  const surprises: string[] = []
  for (const place of ONE_OF_EACH.map(findPlace)) {
    for (const accept of ACCEPTS) {
      const answer = await send(visitor, place, badInputs[place.procedure]?.valid ?? {}, { accept })
      statuses.add(answer.statusCode)
      const surprise = surpriseIn(place, answer, 'valid input')
      if (surprise !== null) surprises.push(surprise)
    }
  }
  return { statuses, surprises }
}

describe('operations of a server in trouble', () => {
  it('answers as described while the database is away', async () => {
    const ill = await createTestServer()
    const player = await ill.player()
    await ill.database.close()
    const { statuses, surprises } = await callAll(player)
    expect([surprises, statuses.has(503)]).toEqual([[], true])
    await ill.close()
  })

  it('answers as described after an unexpected error', async () => {
    const ill = await createTestServer()
    const player = await ill.player()
    // Deadlocks with a periodic job of the server now and then.
    await vi.waitFor(() => sql`drop schema public cascade`.execute(ill.db), { timeout: WAIT_MAX_MS })
    const { statuses, surprises } = await callAll(player)
    expect([surprises, statuses.has(500)]).toEqual([[], true])
    await ill.close()
  })

  it('answers as described past the rate limits', async () => {
    const busy = await createTestServer({ env: { RATE_LIMIT: 'on' } })
    const player = await busy.player()
    for (const limit of ['read', 'write'] as const) {
      await busy.app.accounts.limits.spend(CALLER, limit, CALLS_TO_THE_LIMIT).catch(() => {})
    }
    const { statuses, surprises } = await callAll(player)
    expect([surprises, [...statuses]]).toEqual([[], [429]])
    await busy.close()
  })
})
