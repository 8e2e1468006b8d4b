import assert from 'node:assert/strict'
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { jsonBody } from '../../cache/frozen-json.ts'
import type { App } from '../../context.ts'
import { MethodNotAllowedError, NotFoundError } from '../../errors.ts'
import { AnswerCache, cachedAnswers, NOT_MODIFIED } from '../calls/answer-cache.ts'
import { createHttpContext } from '../calls/call-context.ts'
import { callProcedure } from '../calls/call-procedure.ts'
import { countRead } from '../calls/count-read.ts'
import { takeOnlyJson } from '../calls/json-body.ts'
import { SESSION_COOKIE } from '../calls/token-cookies.ts'
import type { AnswerCompressor } from '../compression.ts'
import { sendFailure } from '../error-response.ts'
import { type FixedPage, fixedPage, sendFixedPage } from '../pages/fixed-page.ts'
import { restInput } from './input.ts'
import { docsPage } from './openapi/docs-page.ts'
import { getExample, withExamples } from './openapi/document.ts'
import { getProcedureFacts, toRestSchema } from './openapi/schema.ts'
import { assertQuery } from './query-parameters.ts'
import { type RestRoute, restRoutes } from './routes.ts'
import { chooseRowFormat } from './streams/formats.ts'
import { rowStreams } from './streams/row-streams.ts'
import { RowSender } from './streams/send-rows.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
const PREFIX = '/api'
/** Documents that pages of all origins may read. */
const OPEN_DOCUMENTS: ReadonlySet<string> = new Set(['/openapi.json'])
/** After the busy first moments of a server. */
const BUILD_PAGES_AFTER_MS = 3_000

/** The introduction of the OpenAPI document, one paragraph each. */
const DESCRIPTION = [
  'A play-money launchpad: launch, trade and watch meme tokens. No real money, no blockchain. Figures are exact decimals as text.',
  'Errors are one plain sentence as text/plain, or problem details (RFC 9457) for API keys and for clients whose Accept prefers JSON to plain text.',
  'A player may have eight orders (launches, buys, sales, rug pulls) under way; the ninth is refused with 429 TOO_MANY_ORDERS.',
  'Of the 503s, BUSY and DATABASE_AWAY mean that nothing was done: try again after Retry-After seconds. OUTCOME_UNKNOWN means that an order may have been done: repeat it with the key in the Idempotency-Key header of the answer, and it gets its first answer or trades once.',
  'Events come over WebSockets: every event of the market, as JSON, at /ws; those of a token, gapless from any sequence number on, by tRPC’s subscriptions at /trpc.',
].join('\n\n')

/** `/api`: REST, with its OpenAPI document and a page to read it. */
export const restMount = fp<{ app: App; compressor: AnswerCompressor }>(
  async (root, { app, compressor }) => {
    const answers = new AnswerCache(app)
    await root.register(cachedAnswers, { app, answers })
    await root.register(
      async (fastify) => {
        takeOnlyJson(fastify)
        // The procedures validate, for every transport alike. These schemas only feed the OpenAPI document.
        fastify.setValidatorCompiler(() => (value) => ({ value }))
        fastify.setSerializerCompiler(() => (value) => JSON.stringify(value))
        fastify.setErrorHandler(sendFailure)
        fastify.setNotFoundHandler((request, reply) =>
          sendFailure(new NotFoundError('There is nothing at this address.'), request, reply),
        )
        await registerDocument(fastify, app)
        const rowSender = new RowSender(app)
        for (const route of restRoutes) mountRoute(fastify, { app, answers, compressor, rowSender }, route)
        refuseOtherMethods(fastify)
      },
      { prefix: PREFIX },
    )
  },
  { name: 'rest-mount', dependencies: ['@fastify/cookie', 'metrics'] },
)

interface Parts {
  readonly app: App
  readonly answers: AnswerCache
  readonly compressor: AnswerCompressor
  readonly rowSender: RowSender
}

function mountRoute(fastify: FastifyInstance, { app, answers, compressor, rowSender }: Parts, route: RestRoute): void {
  // Now, though the document is built later: a route without an example must not start.
  getExample(route.procedure)
  const facts = getProcedureFacts(route)
  const { type, meta } = facts
  assert(type !== 'subscription', 'REST has no subscriptions')
  fastify.route({
    method: route.method,
    url: toFastifyPath(route),
    schema: toRestSchema(route),
    config: { isOpen: isOpenRoute(route) },
    handler: async (request, reply) => {
      const ctx = createHttpContext(app, request, reply)
      let input: unknown
      const readInput = () => {
        input = restInput(request, facts)
        return input
      }
      const output = await callProcedure({ ctx, path: route.procedure, type, readInput, index: 0 })
      reply
        .code(route.status ?? 200)
        .header('cache-control', 'no-store')
        .type('application/json; charset=utf-8')
      const rows = rowStreams[route.procedure]
      if (rows !== undefined) reply.header('vary', 'accept')
      const format = rows === undefined || request.method !== 'GET' ? null : chooseRowFormat(request.headers.accept)
      // The procedure has checked caller and input by now; its answer, one page, is not needed.
      if (rows !== undefined && format !== null) return rowSender.send({ request, reply, rows, format, input })
      // `never`: `route()` in the table has checked that `from` takes the output of its procedure.
      const plain = jsonBody(route.answer ? route.answer.from(output as never, request, reply) : output)
      const body = await compressor.compress([route.procedure], plain, { request, reply })
      if (meta.answer !== undefined) {
        const isKnown = answers.validate({ request, reply, output, body })
        answers.store({ request, reply, output, reads: 1 + (meta.reads?.(input) ?? 0), body })
        if (isKnown)
          return reply.code(NOT_MODIFIED).removeHeader('content-type').removeHeader('content-encoding').send()
      }
      return reply.send(body)
    },
  })
}

async function registerDocument(fastify: FastifyInstance, app: App): Promise<void> {
  await fastify.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Papermoon',
        version: '1',
        description: DESCRIPTION,
      },
      components: {
        securitySchemes: {
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: SESSION_COOKIE,
            description: 'Over https its name is __Host-papermoon_session.',
          },
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            description:
              'A key of POST /api/keys with the scope that is named: market, read, trade or reset; read includes market. Cookies do not count beside it, and it may come from any origin.',
          },
        },
      },
    },
    transform: jsonSchemaTransform,
  })
  serveDocuments(fastify, app)
}

interface DocumentPages {
  readonly openApi: FixedPage
  readonly docs: FixedPage
}

/** Serves openapi.json and the page made from it. Both are built once: when first asked for, or soon after the start. */
function serveDocuments(fastify: FastifyInstance, app: App): void {
  let pages: DocumentPages | undefined
  const getPages = () => {
    pages ??= buildPages(fastify)
    return pages
  }
  // A third of what a start would cost. Until then the first visitors have their pages.
  let timer: NodeJS.Timeout | undefined
  fastify.addHook('onListen', async () => {
    timer = setTimeout(getPages, BUILD_PAGES_AFTER_MS).unref()
  })
  fastify.addHook('onClose', async () => clearTimeout(timer))
  const serve = (url: string, page: keyof DocumentPages) => {
    const config = { isOpen: OPEN_DOCUMENTS.has(url) }
    fastify.get(url, { schema: { hide: true }, config, onRequest: countRead(app) }, async (request, reply) => {
      assertQuery(request.query)
      return sendFixedPage(getPages()[page], request, reply)
    })
  }
  serve('/openapi.json', 'openApi')
  serve('/docs', 'docs')
}

function buildPages(fastify: FastifyInstance): DocumentPages {
  const document = withExamples(fastify.swagger())
  return {
    openApi: fixedPage('application/json; charset=utf-8', JSON.stringify(document)),
    docs: fixedPage('text/html; charset=utf-8', docsPage(document)),
  }
}

/** A known address with another method says which ones it takes. */
function refuseOtherMethods(fastify: FastifyInstance): void {
  const open = new Set([...OPEN_DOCUMENTS, ...restRoutes.filter(isOpenRoute).map(toFastifyPath)])
  for (const url of new Set([...restRoutes.map(toFastifyPath), '/openapi.json', '/docs'])) {
    const taken = METHODS.filter((method) => fastify.hasRoute({ method, url: `${PREFIX}${url}` }))
    // Fastify adds a HEAD route to every GET.
    const allowed = taken.flatMap((method) => (method === 'GET' ? [method, 'HEAD'] : [method])).join(', ')
    fastify.route({
      method: METHODS.filter((method) => !taken.includes(method)),
      url,
      schema: { hide: true },
      config: { isOpen: open.has(url) },
      // Refuse before the body is read.
      onRequest: async (_request, reply) => {
        reply.header('allow', allowed)
        throw new MethodNotAllowedError(`This address takes ${taken.join(' or ')} only.`)
      },
      handler: async () => {},
    })
  }
}

/** Whether the route answers everybody alike, so that pages of all origins may read it. */
function isOpenRoute({ method, access }: RestRoute): boolean {
  return method === 'GET' && access === 'anyone'
}

function toFastifyPath(route: RestRoute): string {
  return route.path.slice(PREFIX.length).replaceAll(/\{(\w+)\}/g, ':$1')
}
