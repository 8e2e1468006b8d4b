import type { LightMyRequestResponse } from 'fastify'
import { describe, expect, it } from 'vitest'
import { findResponse, readOpenApi } from '../../support/openapi-document.ts'
import { registration, shareTestServer } from '../../support/test-server.ts'

// biome-ignore lint/suspicious/noExplicitAny: a schema of the document
type Part = any

const server = await shareTestServer({ env: { RATE_LIMIT: 'on' } })
const document = await readOpenApi(server.visitor())

const operation = (method: string, path: string) => Object(document.paths)[path][method]
const toBody = (path: string) => operation('post', path).requestBody.content['application/json'].schema

/** Headers of HTTP in general, which the document leaves out. */
const COMMON =
  /^(content-|date|connection|cache-control|vary|x-|cross-origin-|origin-|referrer-|permissions-|strict-|keep-alive|access-control-|clear-site-data$)/

/** Returns the headers of a response that the document does not describe. */
function undescribed(answer: LightMyRequestResponse, method: string, path: string): string[] {
  const { headers = {} } = findResponse(operation(method, path), answer.statusCode) ?? {}
  const names = [...Object.keys(headers), ...Object.keys(document['x-common-headers'])]
  const described = new Set(names.map((name) => name.toLowerCase()))
  return Object.keys(answer.headers).filter((name) => !COMMON.test(name) && !described.has(name))
}

describe('the OpenAPI document', () => {
  it('describes the headers of responses', async () => {
    const player = server.visitor()
    const fields = registration('headed')
    const { email } = fields
    const answers: [string, string, LightMyRequestResponse][] = [
      ['post', '/api/auth/register', await player.post('/api/auth/register', fields)],
      ['post', '/api/auth/login', await player.post('/api/auth/login', { email, password: fields.password })],
      ['post', '/api/auth/forgot-password', await player.post('/api/auth/forgot-password', { email })],
    ]
    await player.launch()
    await player.launch()
    answers.push(['get', '/api/tokens', await player.get('/api/tokens?limit=1')])
    answers.push(['get', '/api/tokens', await player.get('/api/tokens?limit=0')])
    answers.push(['post', '/api/auth/logout', await player.raw('POST', '/api/auth/logout', '')])
    expect(answers.map(([, , { headers }]) => headers['set-cookie'] !== undefined)).toEqual([
      true,
      true,
      true,
      false,
      false,
      true,
    ])
    expect(answers[3]?.[2].headers.link).toBeDefined()
    expect(answers.flatMap(([method, path, answer]) => undescribed(answer, method, path))).toEqual([])
  })

  it('describes the headers of errors that say who can call, and when and how to try again', () => {
    const listHeaders = (method: string, path: string, status: number) =>
      Object.keys(findResponse(operation(method, path), status)?.headers ?? {})
    expect(listHeaders('get', '/api/keys', 401)).toContain('WWW-Authenticate')
    for (const status of [429, 503]) {
      expect(listHeaders('post', '/api/tokens/buy', status)).toContain('Retry-After')
      expect(listHeaders('get', '/api/tokens', status)).toContain('Retry-After')
    }
    expect(listHeaders('post', '/api/tokens/buy', 503)).toContain('Idempotency-Key')
    expect(listHeaders('get', '/api/tokens', 503)).not.toContain('Idempotency-Key')
  })

  it('requires a body only if a field is required', () => {
    expect(operation('post', '/api/tokens/{id}/rug').requestBody.required).toBe(false)
    expect(operation('post', '/api/tokens/buy').requestBody.required).toBe(true)
  })

  it('contains the bounds of text fields', () => {
    const { solAmount } = toBody('/api/tokens/buy').properties
    const { name, symbol, description } = toBody('/api/tokens/launch').properties
    const { token } = toBody('/api/auth/reset-password').properties
    const [text] = solAmount.anyOf
    expect(solAmount.anyOf).toEqual([
      { type: 'string', maxLength: 40, pattern: expect.any(String) },
      { type: 'number' },
    ])
    expect(['1.5', '.5', '5.', '1e3', '-1', '.', ''].map((sent) => new RegExp(text.pattern).test(sent))).toEqual([
      ...[true, true, true],
      ...[false, false, false, false],
    ])
    expect([name, symbol, description]).toMatchObject([{ maxLength: 32 }, { maxLength: 10 }, { maxLength: 500 }])
    expect(new RegExp(token.pattern).test('012345')).toBe(true)
  })

  it('describes every property', async () => {
    const { components } = (await server.visitor().get('/api/openapi.json?view=full')).json()
    const silent = Object.entries(components.schemas).flatMap(([schema, { properties = {} }]: [string, Part]) =>
      Object.entries(properties)
        .filter(([, part]: [string, Part]) => part.description === undefined && !JSON.stringify(part).includes('$ref'))
        .map(([name]) => `${schema}.${name}: describe it in its schema, or in property-words.ts`),
    )
    expect(silent).toEqual([])
  })

  it('explains pending orders, 503s and the sockets', () => {
    const { description } = Object(document.info)
    for (const word of ['eight orders', 'OUTCOME_UNKNOWN', '/ws']) expect(description).toContain(word)
    const cursor = operation('get', '/api/tokens').parameters.find(({ name }: { name: string }) => name === 'cursor')
    expect(cursor.description ?? cursor.schema.description).toContain('Link header')
  })

  it('is at most 254 kB for programs, and is sent compressed', async () => {
    const visitor = server.visitor()
    const plain = await visitor.get('/api/openapi.json')
    expect(plain.rawPayload.length, 'shorten a description, or raise the limit').toBeLessThanOrEqual(254_000)
    for (const encoding of ['br', 'gzip']) {
      const { headers, rawPayload } = await visitor.get('/api/openapi.json', { 'accept-encoding': encoding })
      expect([headers['content-encoding'], headers.vary]).toEqual([
        encoding,
        expect.stringContaining('accept-encoding'),
      ])
      expect(rawPayload.length).toBeLessThan(45_000)
      const again = { 'accept-encoding': encoding, 'if-none-match': String(headers.etag) }
      expect((await visitor.get('/api/openapi.json', again)).statusCode).toBe(304)
    }
  })

  it('marks deprecated calls, whose responses say until when they work and what replaces them', async () => {
    const deprecated = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(Object(methods)).flatMap((method) =>
        operation(method, path).deprecated ? [`${method} ${path}`] : [],
      ),
    )
    expect(deprecated).toEqual(['get /api/tokens/tape'])
    expect(operation('get', '/api/tokens/tape').description).toContain('Deprecated. Use GET /api/trades?limit=20')
    // The server listens, because only then does the second response come from the response cache.
    const address = `http://127.0.0.1:${await server.listen()}`
    await (await server.player('tape-reader')).launch({ initialBuyAmount: '1' })
    const answers = [await fetch(`${address}/api/tokens/tape`), await fetch(`${address}/api/tokens/tape`)]
    for (const { headers } of answers) {
      const deprecatedMs = Number(headers.get('deprecation')?.replace('@', '')) * 1_000
      const sunsetMs = Date.parse(headers.get('sunset') ?? '')
      expect(headers.get('deprecation')).toMatch(/^@\d{10}$/)
      expect(sunsetMs - deprecatedMs).toBeGreaterThanOrEqual(365 * 86_400_000)
      expect(headers.get('link')).toBe('</api/trades?limit=20>; rel="successor-version"')
      expect(headers.get('access-control-expose-headers')).toMatch(/Deprecation, Sunset/)
    }
    const [, successor = ''] = /<(.*)>/.exec(answers[0]?.headers.get('link') ?? '') ?? []
    const replacement = await fetch(new URL(successor, address))
    expect(await replacement.json()).toEqual(await answers[0]?.json())
    expect(replacement.headers.get('deprecation')).toBeNull()
  })

  it('has two views, and the error for another view names them', async () => {
    expect(Object.keys(document.paths)).toContain('/api/passkeys')
    const programs = (await server.visitor().get('/api/openapi.json?view=programs')).json()
    expect(Object.keys(programs.paths)).not.toContain('/api/passkeys')
    const { statusCode, body } = await server.visitor().get('/api/openapi.json?view=all')
    expect([statusCode, body]).toEqual([400, 'view must be programs or full.'])
  })
})
