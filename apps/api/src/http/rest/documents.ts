import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { App } from '../../context.ts'
import { BadInputError, NotFoundError } from '../../errors.ts'
import { assertQuery } from '../../validation/known-properties.ts'
import { countRead } from '../calls/call-context.ts'
import { createFixedPage, type FixedPage, sendFixedPage } from '../pages/fixed-page.ts'
import { createOpenApiDocument, type DocumentConfig, VIEWS, type View } from './openapi/document.ts'

/** Paths of the API's documents, below `/api`. */
export const DOCUMENTS = ['/openapi.json', '/docs', '/reference/:file?'] as const
/** Documents that pages of all origins can read. */
export const OPEN_DOCUMENTS: ReadonlySet<string> = new Set(['/openapi.json'])
const POLICY = 'content-security-policy'
/** Time in ms after the start at which the document is built. Before that time, the server is too busy. */
const BUILD_PAGES_AFTER_MS = 3_000

/** Serves the API's descriptions: openapi.json, and the page on which people read it and try calls. */
export function serveDocuments(fastify: FastifyInstance, app: App): void {
  serveOpenApi(fastify, app)
  serveReference(fastify, app)
}

interface DocumentPages {
  readonly programs: FixedPage
  readonly full: FixedPage
}

/**
 * The documents that were built, by the settings that they contain. A process builds each document once, even if it
 * runs several servers.
 */
const documents = new Map<string, Promise<DocumentPages>>()

/** Serves openapi.json. The document is built at the first request, or soon after the start. */
function serveOpenApi(fastify: FastifyInstance, app: App): void {
  const { publicUrl, communityUrl } = app.platform.config
  const key = JSON.stringify([publicUrl, communityUrl])
  const getPages = () => {
    const pages = documents.get(key) ?? buildPages({ publicUrl, communityUrl })
    documents.set(key, pages)
    return pages
  }
  // Build the document later, because it would take a third of the start's time. Until then, the first visitors can
  // load pages.
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
  // Redirect from the path that the reference had in earlier versions.
  fastify.get('/docs', { config: { isPage: true }, onRequest: countRead(app) }, async (request, reply) => {
    assertQuery(request.query)
    return reply.redirect('/api/reference', 308)
  })
}

/** Serves the interactive reference. The files are read and compressed when someone first opens the reference. */
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

const SWAGGER_UI = import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')
const SWAGGER_STYLE = import.meta.resolve('swagger-ui-dist/swagger-ui.css')
const TITLE = 'Papermoon API reference'

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${TITLE}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/api/reference/swagger-ui.css">
<link rel="stylesheet" href="/api/reference/reference.css">
<script src="/api/reference/swagger-ui.js" defer></script>
<script src="/api/reference/reference.js" defer></script>
</head>
<body>
<nav><a href="/">Papermoon</a> <a href="/developers">Guide</a></nav>
<main id="reference"></main>
<noscript><p>This page needs JavaScript. <a href="/developers.md">The guide</a> and <a href="/api/openapi.json">openapi.json</a> do not.</p></noscript>
</body>
</html>
`

const STYLE = `
body { margin: 0; background: #fff }
html.dark-mode body { background: #1c2022; color: #e4e6e6 }
nav { display: flex; gap: 20px; max-width: 1420px; margin: 0 auto; padding: 14px 20px; font: 600 15px/24px system-ui, sans-serif }
nav a { color: inherit; text-underline-offset: 3px }
.swagger-ui .info { margin: 20px 0 }
.swagger-ui .scheme-container { padding: 16px 0 }
@media (max-width: 48em) {
  .swagger-ui .wrapper { padding: 0 12px }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap }
  .swagger-ui .opblock .opblock-summary-path { max-width: 100% }
  .swagger-ui .opblock-body { overflow-x: auto }
}
`

/**
 * This script runs in the reader's browser. Swagger UI sanitizes the HTML that it writes, and all its text comes from
 * this server's own document. Search operations with `opsFilter`, because Swagger UI's own filter finds only tags.
 */
const SCRIPT = `
let scheme = 'auto'
try {
  scheme = localStorage.getItem('mantine-color-scheme-value') ?? scheme
} catch {
  // Storage is blocked: keep the device’s scheme.
}
const isDark = scheme === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : scheme === 'dark'
document.documentElement.classList.toggle('dark-mode', isDark)
globalThis.trustedTypes?.createPolicy('default', { createHTML: (html) => html })

const toText = (operation) =>
  [operation.get('path'), operation.get('method'), ...['operationId', 'summary', 'description'].map((name) => operation.getIn(['operation', name]))]
    .join(' ')
    .toLowerCase()
const opsFilter = (tags, phrase) => {
  const words = phrase.toLowerCase().split(/\\s+/)
  const matches = (name) => (operation) => words.every((word) => (name + ' ' + toText(operation)).toLowerCase().includes(word))
  return tags
    .map((tag, name) => tag.update('operations', (operations) => operations.filter(matches(name))))
    .filter((tag) => tag.get('operations').size > 0)
}
SwaggerUIBundle({
  url: '/api/openapi.json?view=full',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  filter: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  plugins: [{ fn: { opsFilter } }],
  onComplete: () => {
    const search = document.querySelector('.operation-filter-input')
    search?.setAttribute('placeholder', 'Search operations')
    search?.setAttribute('aria-label', 'Search operations')
  },
})
`

/** Creates the files of the interactive reference, by name below `/api/reference`. */
async function createReferenceFiles(): Promise<ReadonlyMap<string, FixedPage>> {
  const [ui, style] = await Promise.all([SWAGGER_UI, SWAGGER_STYLE].map(readWithoutMap))
  const files = [
    ['', 'text/html; charset=utf-8', PAGE],
    ['swagger-ui.js', 'text/javascript; charset=utf-8', ui],
    ['swagger-ui.css', 'text/css; charset=utf-8', style],
    ['reference.js', 'text/javascript; charset=utf-8', SCRIPT],
    ['reference.css', 'text/css; charset=utf-8', STYLE],
  ] as const
  const pages = files.map(async ([name, type, text]) => [name, await createFixedPage(type, text ?? '')] as const)
  return new Map(await Promise.all(pages))
}

/** Reads a file, but leaves out the line that names its source map. */
async function readWithoutMap(url: string): Promise<string> {
  const text = await readFile(new URL(url), 'utf8')
  return text.replace(/(\/\/|\/\*)# sourceMappingURL=.*/g, '')
}

/**
 * Returns the security policy for the interactive reference. Swagger UI's sanitizer needs a trusted types policy of its
 * own. The rest of the policy is the same as on all pages.
 */
function allowSanitizer(policy: string): string {
  return policy.replace('trusted-types default', 'trusted-types default dompurify')
}
