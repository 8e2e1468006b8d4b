import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { describe, expect, it } from 'vitest'
import { createOpenApiDocument, EVENTS_PATH, VIEWS } from '../../../src/http/rest/openapi/document.ts'
import { restRoutes } from '../../../src/http/rest/routes.ts'
import { badInputs, NOT_OBJECTS } from '../../support/bad-input.ts'
import { closeSchema, findResponse, type Operation, readOpenApi } from '../../support/openapi-document.ts'
import { sendRest } from '../../support/send-call.ts'
import { shareTestServer } from '../../support/test-server.ts'

/** An operation with its path and method. */
interface Place extends Operation {
  /** Name of its procedure, which the table of bad input uses. */
  readonly procedure: string
  readonly path: string
  readonly method: InjectOptions['method'] & string
}

/** The Accept headers for the two forms of an error. */
const ACCEPTS = ['*/*', 'application/json'] as const

const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }))
ajv.addFormat('decimal', /^-?\d+(\.\d+)?$/)
/** Validators by the schema's text, because many of the document's schemas are the same. */
const validators = new Map<string, ValidateFunction>()
const texts = new Map<object, string>()

const server = await shareTestServer({ hasJobs: false })
const guest = server.visitor()
const reader = await server.player()
const document = await readOpenApi(guest)
// `event-source.test.ts` and `history.test.ts` test the streams.
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

function findProcedure(operationId: string): string {
  return restRoutes.find((route) => route.operationId === operationId)?.procedure ?? operationId
}

/** Returns the validation errors as text, which is empty if the value matches the schema. */
function findFaults(schema: object, value: unknown): string {
  const text = texts.get(schema) ?? JSON.stringify(schema)
  texts.set(schema, text)
  const validate = validators.get(text) ?? ajv.compile(closeSchema(schema) as object)
  validators.set(text, validate)
  return validate(value) ? '' : ajv.errorsText(validate.errors)
}

/** Returns how a response differs from the document, or null if it matches. */
function surpriseIn(place: Place, answer: LightMyRequestResponse, sent: unknown): string | null {
  const name = `${place.operationId} sent ${JSON.stringify(sent)?.slice(0, 160)}: ${answer.statusCode}`
  const described = findResponse(place, answer.statusCode)
  if (described === undefined) return `${name} is not described: ${answer.body.slice(0, 160)}`
  const type = String(answer.headers['content-type']).split(';')[0] ?? ''
  const media = described.content[type]
  if (media === undefined) return `${name} with the type ${type} is not described`
  const body = type === 'text/plain' ? answer.body : answer.json()
  const faults = findFaults(media.schema, body)
  return faults === '' ? null : `${name} has a body that is not described: ${faults}; ${answer.body.slice(0, 300)}`
}

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

  it('describes defaults in words, because generated clients require properties with the keyword', () => {
    expect(JSON.stringify(document).match(/.{60}"default":.{20}/g)).toBeNull()
    expect(JSON.stringify(document.paths['/api/waiting-orders']?.get)).toContain('Default: waiting.')
  })

  it('has a summary and valid examples of every request, response and error code', () => {
    const faults: string[] = []
    const check = (where: string, schema: object, example: unknown) => {
      const fault = example === undefined ? 'has no example' : findFaults(schema, example)
      if (fault !== '') faults.push(`${where}: ${fault}`)
    }
    for (const place of places) {
      expect(place).toMatchObject({
        summary: expect.stringMatching(/^[A-Z].*[^.]$/),
      })
      if (place.description !== undefined) expect(place.description).toMatch(/^[A-Z].*\.$/)
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
  it('cannot be created, and the error says where to add one', () => {
    const [route] = restRoutes.map(({ entry: { example: _none, ...entry }, ...known }) => ({ ...known, entry }))
    expect(() => createOpenApiDocument({ publicUrl: null, communityUrl: '' }, 'full', route && [route])).toThrow(
      `${route?.procedure} has no example in packages/contract`,
    )
  })
})

/** One procedure for each method. */
const ONE_OF_EACH = ['tokens.get', 'trading.buy', 'watchlist.add', 'alerts.remove']

describe.each(ONE_OF_EACH)('%s', (id) => {
  it('responds to a valid call and to bad input as described', async () => {
    const place = findPlace(id)
    const { valid = {}, bad = {} } = badInputs[id] ?? {}
    const alert = id === 'alerts.remove' ? await reader.post('/api/alerts', badInputs['alerts.create']?.valid) : null
    const answer = await sendRest(reader, place, { input: { ...valid, ...(alert && { id: alert.json().id }) } })
    expect([answer.statusCode < 300, surpriseIn(place, answer, valid)]).toEqual([true, null])
    const wrong = Object.entries(bad).map(([field, values]) => ({ ...valid, [field]: values.at(-1) }))
    for (const input of [...wrong, ...(place.method === 'GET' ? [] : NOT_OBJECTS)]) {
      for (const accept of ACCEPTS) {
        expect(surpriseIn(place, await sendRest(reader, place, { input, headers: { accept } }), input)).toBeNull()
      }
    }
  })
})
