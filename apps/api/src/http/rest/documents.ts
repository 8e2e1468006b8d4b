import type { FastifyInstance } from 'fastify'
import type { App } from '../../context.ts'
import { BadInputError, NotFoundError } from '../../errors.ts'
import { countRead } from '../calls/count-read.ts'
import { createFixedPage, type FixedPage, sendFixedPage } from '../pages/fixed-page.ts'
import { createOpenApiDocument, type DocumentConfig, VIEWS, type View } from './openapi/document.ts'
import { allowSanitizer, createReferenceFiles } from './openapi/reference-page.ts'
import { assertQuery } from './query-parameters.ts'

/** Addresses of the documents, below `/api`. */
export const DOCUMENTS = ['/openapi.json', '/docs', '/reference/:file?'] as const
/** Documents that pages of all origins may read. */
export const OPEN_DOCUMENTS: ReadonlySet<string> = new Set(['/openapi.json'])
const POLICY = 'content-security-policy'
/** After the busy first moments of a server. */
const BUILD_PAGES_AFTER_MS = 3_000

/** Serves what describes the API: openapi.json, and the page to read it and try it. */
export function serveDocuments(fastify: FastifyInstance, app: App): void {
  serveOpenApi(fastify, app)
  serveReference(fastify, app)
}

interface DocumentPages {
  readonly programs: FixedPage
  readonly full: FixedPage
}

/** By what the documents say of a server: a process builds them once, however many servers it has. */
const documents = new Map<string, Promise<DocumentPages>>()

/** Serves openapi.json. It is built when first asked for, or soon after the start. */
function serveOpenApi(fastify: FastifyInstance, app: App): void {
  const { publicUrl, communityUrl } = app.platform.config
  const key = JSON.stringify([publicUrl, communityUrl])
  const getPages = () => {
    const pages = documents.get(key) ?? buildPages({ publicUrl, communityUrl })
    documents.set(key, pages)
    return pages
  }
  // A third of what a start would cost. Until then the first visitors have their pages.
  let timer: NodeJS.Timeout | undefined
  fastify.addHook('onListen', async () => {
    timer = setTimeout(getPages, BUILD_PAGES_AFTER_MS).unref()
  })
  fastify.addHook('onClose', async () => clearTimeout(timer))
  fastify.get(
    '/openapi.json',
    { config: { isOpen: OPEN_DOCUMENTS.has('/openapi.json') }, onRequest: countRead(app) },
    async (request, reply) => {
      const { view = 'programs' } = assertQuery(request.query, ['view'])
      if (view !== 'programs' && view !== 'full') throw new BadInputError(`view must be ${VIEWS.join(' or ')}.`)
      return sendFixedPage((await getPages())[view], request, reply)
    },
  )
  // The address of the reference in earlier versions.
  fastify.get('/docs', { config: { isPage: true }, onRequest: countRead(app) }, async (request, reply) => {
    assertQuery(request.query)
    return reply.redirect('/api/reference', 308)
  })
}

/** Serves the interactive reference. Its files are read and compressed when it is first opened. */
function serveReference(fastify: FastifyInstance, app: App): void {
  let files: ReturnType<typeof createReferenceFiles> | undefined
  const onRequest = countRead(app)
  fastify.get<{ Params: { file?: string } }>(
    '/reference/:file?',
    { config: { isPage: true }, onRequest },
    async (request, reply) => {
      assertQuery(request.query)
      files ??= createReferenceFiles().catch((error) => {
        files = undefined
        throw error
      })
      const file = (await files).get(request.params.file ?? '')
      if (file === undefined) throw new NotFoundError('There is nothing at this address.')
      reply.header(POLICY, allowSanitizer(String(reply.getHeader(POLICY))))
      return sendFixedPage(file, request, reply)
    },
  )
}

async function buildPages(config: DocumentConfig): Promise<DocumentPages> {
  const build = (view: View) =>
    createFixedPage('application/json; charset=utf-8', JSON.stringify(createOpenApiDocument(config, view)))
  return { programs: await build('programs'), full: await build('full') }
}
