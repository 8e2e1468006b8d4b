import { getAcceptedScopes } from '@papermoon/contract/procedure'
import { OutcomeUnknownError } from '@papermoon/engine'
import { fastify as createFastify } from 'fastify'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { sendFailure } from '../../../src/http/error-response.ts'
import { listRefusals } from '../../../src/http/rest/openapi/refusals.ts'
import { type RestRoute, restRoutes } from '../../../src/http/rest/routes.ts'
import {
  findResponse,
  listDescribedCodes,
  type OpenApi,
  type Operation,
  readOpenApi,
} from '../../support/openapi-document.ts'
import { countStatements } from '../../support/statements.ts'
import { createTestServer, errorsIn, shareTestServer } from '../../support/test-server.ts'

const server = await shareTestServer()
const player = await server.player('rester')
const id = await player.launch({ initialBuyAmount: '1.5' })

describe('REST', () => {
  it('takes the idempotency key from its header, and a repeat trades once', async () => {
    const order = { tokenId: id, solAmount: '0.5' }
    const key = { 'idempotency-key': 'order-1' }
    const [first, second] = [
      await player.post('/api/tokens/buy', order, key),
      await player.post('/api/tokens/buy', order, key),
    ]
    expect(second.json().trade).toEqual(first.json().trade)
    const other = await player.post('/api/tokens/buy', { ...order, solAmount: '0.6' }, key)
    expect([other.statusCode, other.body]).toEqual([422, expect.stringContaining('already used')])
  })

  it('rejects an order with two keys, but accepts one key given twice', async () => {
    const order = { tokenId: id, solAmount: '0.5', requestId: 'order-2' }
    const two = await player.post('/api/tokens/buy', order, { 'idempotency-key': 'order-3' })
    expect([two.statusCode, two.body]).toEqual([400, 'requestId differs from the key in the Idempotency-Key header.'])
    const one = await player.post('/api/tokens/buy', order, { 'idempotency-key': 'order-2' })
    expect(one.statusCode).toBe(200)
  })

  it('rejects a player’s ninth order while eight are pending, with a retry time', async () => {
    const orders = await server.db.transaction().execute(async (tx) => {
      await tx.selectFrom('pools').select('token_id').where('token_id', '=', id).forUpdate().execute()
      const order = { tokenId: id, solAmount: '0.01' }
      const placed = Array.from({ length: 9 }, () => player.post('/api/tokens/buy', order))
      const refused = await Promise.race(placed)
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '1'])
      return placed
    })
    const statuses = (await Promise.all(orders)).map(({ statusCode }) => statusCode)
    expect(statuses.sort()).toEqual([...Array(8).fill(200), 429])
  })

  it('pages through the tokens with a Link header', async () => {
    await player.launch({ name: 'Second Moon' })
    const names = []
    let url: string | undefined = '/api/tokens?limit=1&sort=oldest&search=o'
    for (let pages = 0; url !== undefined && pages < 10; pages++) {
      const answer = await server.visitor().get(url)
      expect(answer.statusCode).toBe(200)
      names.push(...answer.json().map((token: { name: string }) => token.name))
      url = /^<(.+)>; rel="next"$/.exec(String(answer.headers.link))?.[1]
    }
    expect(names).toEqual(['Paper Moon', 'Second Moon'])
  })

  it('pages through a chain by its cursor, and by the cursor’s earlier name', async () => {
    const chained = await player.launch({ initialBuyAmount: '1' })
    for (const solAmount of ['1', '2']) await player.post('/api/tokens/buy', { tokenId: chained, solAmount })
    const seqs = []
    let url: string | undefined = `/api/tokens/${chained}/chain?limit=1`
    for (let pages = 0; url !== undefined && pages < 10; pages++) {
      const answer = await server.visitor().get(url)
      seqs.push(...answer.json().entries.map((entry: { seq: number }) => entry.seq))
      url = /^<(.+)>; rel="next"$/.exec(String(answer.headers.link))?.[1]
    }
    expect(seqs).toEqual([1, 2, 3])
    const read = async (query: string) => (await server.visitor().get(`/api/tokens/${chained}/chain?${query}`)).json()
    expect(await read('after=2')).toEqual(await read('cursor=2'))
  })

  it('accepts the largest safe integer, and rejects a larger number as too large', async () => {
    const ask = async (after: string) => (await server.visitor().get(`/api/tokens/${id}/chain?after=${after}`)).body
    expect(await ask('9007199254740991')).toBe('This token has no entry 9007199254740991.')
    expect(await ask('9007199254740992')).toBe('after must be at most 9007199254740991.')
  })

  it.each<Record<string, string>>([
    {},
    { 'content-type': 'application/json' },
    { 'content-type': 'application/json; charset=utf-8' },
  ])('takes an empty body where nothing is asked for, with the type %j', async (headers) => {
    expect((await server.visitor().raw('POST', '/api/auth/logout', '', headers)).statusCode).toBe(200)
    expect(
      (await server.visitor().raw('POST', '/api/auth/logout', '{}', { 'content-type': 'application/json' })).statusCode,
    ).toBe(200)
  })

  it.each([
    ['a REST route', () => `/api/tokens/${id}?`],
    ['a tRPC GET', () => `/trpc/tokens.get?input=${encodeURIComponent(JSON.stringify({ json: { id } }))}&`],
  ])('ignores parameters of link trackers and cache breakers at %s, and refuses others', async (_name, toUrl) => {
    const guest = server.visitor()
    expect((await guest.get(`${toUrl()}_=1790000000000&utm_source=a&utm_=`)).statusCode).toBe(200)
    for (const name of ['__', 'utm', 'xutm_source']) {
      const refused = await guest.get(`${toUrl()}${name}=1`)
      expect([refused.statusCode, refused.body]).toEqual([400, expect.stringContaining(`${name} is unknown`)])
    }
  })
})

describe('an error', () => {
  it.each([
    undefined,
    '*/*',
    'text/html, */*;q=0.8',
    'text/plain',
    'application/json, text/plain, */*',
    'application/json, text/*',
    'application/json;q=0.9, text/plain',
    'application/json;q=0.5, */*;q=0.5',
    'application/json;q=0',
    'application/json;q=2, application/json;q=x, json, */json',
  ])('is one sentence of plain text for a client that accepts %s', async (accept) => {
    const answer = await server.visitor().get('/api/tokens/2000000000', accept === undefined ? {} : { accept })
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(answer.body).toBe('Token not found.')
    // The headers name the other form and the page about the error.
    expect(answer.headers).toMatchObject({
      vary: 'Accept, Authorization',
      link: '</developers/errors#TOKEN_NOT_FOUND>; rel="help"',
    })
  })

  it.each([
    'application/json',
    'application/problem+json',
    'application/json, text/plain;q=0',
    'application/*',
    'application/json;q=0.9,*/*;q=0.1',
    'application/problem+json, application/json;q=0.9, text/plain;q=0.8',
    'text/*;q=0.2, */*;q=0.3',
    'APPLICATION/JSON ; charset="utf-8" ; Q=0.5, text/plain ; q = 0.499',
  ])('is problem details with a code for a client that prefers JSON as in %s', async (accept) => {
    const answer = await server.visitor().get('/api/tokens/2000000000', { accept })
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect(answer.json()).toEqual({
      type: '/developers/errors#TOKEN_NOT_FOUND',
      instance: `urn:uuid:${answer.headers['x-request-id']}`,
      title: 'Not Found',
      status: 404,
      detail: 'Token not found.',
      code: 'TOKEN_NOT_FOUND',
    })
  })

  it.each([
    [undefined, true],
    ['*/*', true],
    ['application/json, text/plain, */*', true],
    ['text/plain', false],
    ['text/plain, application/json;q=0.5', false],
  ])('for an API key that accepts %s is problem details: %s', async (accept, isProblem) => {
    const headers = { authorization: 'Bearer pm_nothing', ...(accept !== undefined && { accept }) }
    const answer = await server.visitor().get('/api/tokens/2000000000', headers)
    expect([answer.statusCode, answer.headers.vary]).toEqual([401, 'Accept, Authorization'])
    if (isProblem) expect(answer.json()).toMatchObject({ status: 401, code: 'API_KEY_INVALID' })
    else expect(answer.body).toBe('This API key is not valid.')
  })

  it.each(['image/png', 'application/xml, text/html;q=0.9', 'text/html;title="a, application/json"', 'text/csv'])(
    'is 406 for a client that accepts only %s, which does not exist',
    async (accept) => {
      const plain = await server.visitor().get('/api/leaderboard')
      const refused = await server.visitor().get('/api/leaderboard', { accept })
      expect([plain.statusCode, refused.statusCode]).toEqual([200, 406])
      expect((await player.post('/api/tokens/launch', { name: 'Unread', symbol: 'UN' }, { accept })).statusCode).toBe(
        406,
      )
      expect((await server.visitor().get('/api/tokens?search=Unread')).json()).toEqual([])
      expect((await server.visitor().get('/api/leaderboard', { accept: `${accept}, */*;q=0.1` })).statusCode).toBe(200)
    },
  )

  it('has its numbers separate from its sentence, over REST and tRPC', async () => {
    const tokenId = await player.launch()
    const order = { tokenId, solAmount: '1', minTokensOut: '999999999' }
    const refused = await player.post('/api/tokens/buy', order, { accept: 'application/json' })
    const { details, detail } = refused.json()
    expect(details).toEqual({ wouldGet: expect.stringMatching(/^\d+\.\d+$/), minimum: '999999999' })
    expect(detail).toContain(details.wouldGet)
    const overTrpc = await player.post('/trpc/trading.buy', { json: order })
    expect(overTrpc.json().error.json.data.details).toEqual(details)
    const poor = await player.post('/api/tokens/buy', { tokenId, solAmount: '5000' }, { accept: 'application/json' })
    expect(poor.json().details).toEqual({ available: expect.stringMatching(/^\d+\.\d+$/), needed: '5000' })
  })

  it('has its own id, which is in the response, its problem details and the log', async () => {
    const given = { accept: 'application/json', 'x-request-id': 'a-stranger-s' }
    const [one, two] = [await player.get('/api/nothing', given), await player.get('/api/tokens', given)]
    const ids = [one, two].map(({ headers }) => String(headers['x-request-id']))
    for (const id of ids) expect(id).toMatch(/^[\da-f-]{36}$/)
    expect(ids[0]).not.toBe(ids[1])
    expect(one.json().instance).toBe(`urn:uuid:${ids[0]}`)
  })

  it('names all wrong fields of a body at once, in the sentence and in `errors`', async () => {
    const input = { tokenId: 'x', solAmount: '-1', requestId: 'a b' }
    const problem = await player.post('/api/tokens/buy', input, { accept: 'application/json' })
    expect(problem.json()).toMatchObject({
      status: 400,
      code: 'BAD_INPUT',
      errors: [
        { field: 'tokenId', pointer: '#/tokenId', message: 'tokenId must be a whole number.' },
        { field: 'solAmount', pointer: '#/solAmount', message: 'The amount must be greater than zero.' },
        { field: 'requestId', pointer: '#/requestId', message: expect.stringMatching(/^requestId .*\.$/) },
      ],
    })
    const sentences = problem.json().errors.map(({ message }: { message: string }) => message)
    const plain = await player.post('/api/tokens/buy', input)
    expect(plain.body).toBe(sentences.join(' '))
    const overTrpc = (await player.mutate('trading.buy', input)).json().error.json
    expect([overTrpc.message, overTrpc.data.errors]).toEqual([plain.body, problem.json().errors])
  })

  it('names unknown properties and wrong ones in `errors`, but only the unknown ones in the sentence', async () => {
    const input = { tokenId: 1, solAmont: '1', minTokenOut: '5', 'a/b~': 1, ä: 1 }
    const headers = { accept: 'application/json' }
    const { detail, errors } = (await player.post('/api/tokens/buy', input, headers)).json()
    expect(detail).toBe(
      'solAmont is unknown; did you mean solAmount? minTokenOut is unknown; did you mean minTokensOut? a/b~ is unknown. A property of the input is unknown.',
    )
    expect(errors.map(({ field, pointer }: { field: string; pointer: string }) => [field, pointer])).toEqual([
      ['solAmont', '#/solAmont'],
      ['minTokenOut', '#/minTokenOut'],
      ['a/b~', '#/a~1b~0'],
      ['', '#'],
      ['solAmount', '#/solAmount'],
    ])
  })

  it('names all wrong parameters of a query', async () => {
    const ask = (url: string) => server.visitor().get(url, { accept: 'application/json' })
    const fields = async (url: string) => (await ask(url)).json().errors.map(({ field }: { field: string }) => field)
    expect(await fields('/api/tokens?limit=0&sort=best')).toEqual(['sort', 'limit'])
    expect(await fields('/api/tokens?limit=1&limit=2&sort=a&sort=b')).toEqual(['limit', 'sort'])
    expect(await fields('/api/tokens?limt=1&srt=newest')).toEqual(['limt', 'srt'])
  })

  it('names at most 20 wrong fields, and says how many it leaves out', async () => {
    const input = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`zz${index}`, index]))
    const { detail, errors } = (await player.post('/api/tokens/buy', input, { accept: 'application/json' })).json()
    expect(errors).toHaveLength(20)
    expect(detail).toMatch(/^zz0 is unknown\. .* \d+ more fields are wrong\.$/)
    expect(detail.length).toBeLessThan(300)
  })

  it.each([
    ['GET', '/api/nothing', 404],
    ['POST', '/api/nothing', 404],
    ['GET', '/api/v1', 404],
    ['GET', '/api/tokens/1/nothing', 404],
    ['GET', '/api/%zz', 400],
    ['GET', `/api/tokens/${'9'.repeat(200)}`, 400],
    ['PATCH', '/api/tokens/1', 405],
    ['OPTIONS', '/api/tokens/buy', 405],
  ] as const)('of %s %s has the same form', async (method, url, status) => {
    const answer = await server.visitor().send({ method, url })
    expect(answer.statusCode).toBe(status)
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(answer.body).toMatch(/^[A-Z][^\n]*\.$/)
    expect(Boolean(answer.headers.allow)).toBe(status === 405)
  })

  it.each([
    ['/api/tokens', 'DELETE', 'GET, HEAD', 'GET'],
    ['/api/keys', 'PATCH', 'GET, HEAD, POST', 'GET or POST'],
    ['/api/openapi.json', 'POST', 'GET, HEAD', 'GET'],
    ['/api/auth/login', 'GET', 'POST', 'POST'],
  ] as const)('of a method that %s does not take names those it answers', async (url, method, allow, named) => {
    const visitor = server.visitor()
    const answer = await visitor.send({ method, url })
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, allow])
    expect(answer.body).toBe(`This URL accepts ${named} only.`)
    const head = await visitor.send({ method: 'HEAD', url })
    expect([200, 401].includes(head.statusCode)).toBe(allow.includes('HEAD'))
  })

  it('of an order with an unknown outcome contains the key to repeat the order', async () => {
    const fastify = createFastify()
    fastify.setErrorHandler(sendFailure)
    fastify.get('/', async () => {
      throw new OutcomeUnknownError('key-1')
    })
    const [text, json] = [
      await fastify.inject('/'),
      await fastify.inject({ url: '/', headers: { accept: 'application/json' } }),
    ]
    expect([text.statusCode, text.headers['idempotency-key'], text.headers['retry-after']]).toEqual([503, 'key-1', '1'])
    expect(text.body).toContain('key-1')
    expect(json.json()).toMatchObject({ status: 503, code: 'OUTCOME_UNKNOWN', requestKey: 'key-1', retryAfterS: 1 })
  })

  it('of an unexpected failure reveals nothing of the cause, which is logged', async () => {
    const broken = await createTestServer()
    await sql`drop view candles`.execute(broken.db)
    const answers = [
      await broken.visitor().get('/api/tokens'),
      await broken.visitor().get('/api/tokens', { accept: 'application/json' }),
      await broken.visitor().query('tokens.list', {}),
    ]
    for (const answer of answers) {
      expect(answer.statusCode).toBe(500)
      expect(answer.body).toContain('Something went wrong on our side.')
      expect(answer.body).not.toMatch(/\bat \/|node_modules|\.ts|candles|relation/i)
    }
    expect(errorsIn(broken).length).toBeGreaterThanOrEqual(3)
    await broken.close()
  })
})

/** Returns the credentials that the document lists for a route: a session, or a key with the scope. */
function expectedSecurity({ access, entry }: RestRoute): unknown[] {
  if (access === 'anyone') return [[], undefined]
  const scopes = getAcceptedScopes(entry)
  return scopes.length === 0 ? [[{ session: [] }], undefined] : [[{ session: [] }, { apiKey: [] }], scopes]
}

function findOperation({ paths }: OpenApi, { path, method }: RestRoute): Operation {
  const operation = paths[path]?.[method.toLowerCase()]
  if (operation === undefined) throw new Error(`${method} ${path} is not described`)
  return operation
}

describe('the OpenAPI document', () => {
  it('names the ways to sign in', async () => {
    const { components } = await readOpenApi(server.visitor())
    expect(components.securitySchemes).toMatchObject({
      session: { type: 'apiKey', in: 'cookie', name: 'papermoon_session' },
      apiKey: { type: 'http', scheme: 'bearer' },
    })
  })

  it('describes every route: its input, its output and its errors', async () => {
    const document = await readOpenApi(server.visitor())
    expect(document.openapi).toBe('3.1.0')
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(Object(methods)).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const routes = restRoutes.map(({ method, path }) => `${method} ${path}`)
    const calls = described.filter((name) => !name.startsWith('GET /api/exports/'))
    expect(calls.sort()).toEqual([...routes, 'GET /api/events'].sort())
    for (const route of restRoutes) {
      const operation = findOperation(document, route)
      const success = Object(operation.responses[route.entry.status ?? 200]?.content['application/json']?.schema)
      const texts = [operation.summary, operation.description ?? '']
      expect([route.path, texts.join('. '), success.type]).toEqual([
        route.path,
        expect.stringContaining(route.summary),
        expect.any(String),
      ])
      const { security = document.security, 'x-api-key-scopes': scopes } = operation
      expect([route.path, security, scopes]).toEqual([route.path, ...expectedSecurity(route)])
      const codes = listDescribedCodes(document, route.method, operation)
      const silent = listRefusals(route).flatMap(([, some]) => some.filter((code) => !codes.has(code)))
      expect([route.path, silent]).toEqual([route.path, []])
      for (const status of [400, 401, 403, 421, 429, 500, 503]) {
        const types = Object.keys(findResponse(operation, status)?.content ?? {})
        expect([route.path, status, types]).toEqual([route.path, status, ['application/problem+json', 'text/plain']])
      }
    }
  })

  it('allows no unnamed properties in bodies', async () => {
    const { paths } = await readOpenApi(server.visitor())
    const open = Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods).flatMap((operation) => {
        const schemas = Object.values(operation.requestBody?.content ?? {}).map((media) => Object(media.schema))
        return schemas.filter((schema) => schema.additionalProperties !== false).map(() => path)
      }),
    )
    expect(open).toEqual([])
    const { content } = Object(paths['/api/tokens/buy']?.post?.requestBody)
    expect(content['application/json'].schema.additionalProperties).toBe(false)
  })

  it('redirects from its earlier page /api/docs to the reference', async () => {
    const { statusCode, headers } = await server.visitor().get('/api/docs')
    expect([statusCode, headers.location]).toEqual([308, '/api/reference'])
  })

  it('can be searched and tried on a page that loads only files of this server', async () => {
    const visitor = server.visitor()
    const page = await visitor.get('/api/reference')
    const files = Array.from(page.body.matchAll(/(?:src|href)="([^"]+)"/g), ([, address]) => address ?? '')
    expect(files.filter((address) => !address.startsWith('/'))).toEqual([])
    const own = files.filter((address) => address.startsWith('/api/reference/'))
    expect(own).toHaveLength(4)
    for (const address of own) {
      const { statusCode, headers, body } = await visitor.get(address)
      expect([statusCode, headers['content-type']]).toEqual([200, expect.stringMatching(/^text\/(css|javascript);/)])
      expect(body).not.toContain('sourceMappingURL')
    }
    expect(page.headers['content-security-policy']).toContain(';trusted-types default dompurify')
    expect((await visitor.get('/api/reference/other.js')).statusCode).toBe(404)
  })
})

describe('/readyz', () => {
  it('probes once a second for all callers', async () => {
    const ask = () => Promise.all(Array.from({ length: 50 }, () => server.visitor().get('/readyz')))
    // There is one statement per second, and a slow machine may take several seconds.
    expect(await countStatements(/generate_series/, ask)).toBeLessThan(10)
  })
})
