import fp from 'fastify-plugin'
import { LRUCache } from 'lru-cache'
import type { App } from '../../../context.ts'
import { countRead } from '../../calls/count-read.ts'
import { sendFailure } from '../../error-response.ts'
import { createFixedPage, type FixedPage, sendFixedPage } from '../../pages/fixed-page.ts'
import { pageOrigin } from '../../pages/page-origin.ts'
import { assertQuery } from '../query-parameters.ts'
import { asyncApiDocument } from './document.ts'

const ORIGINS_MAX = 8

/** `/api/asyncapi.json`: what `/api/events` and `/ws` send. */
export const asyncApi = fp<{ app: App }>(
  async (fastify, { app }) => {
    // The client chooses the Host header, so only a few are kept.
    const pages = new LRUCache<string, Promise<FixedPage>>({ max: ORIGINS_MAX })
    fastify.get('/api/asyncapi.json', {
      config: { isOpen: true },
      errorHandler: sendFailure,
      onRequest: countRead(app),
      handler: async (request, reply) => {
        assertQuery(request.query)
        const origin = pageOrigin(request, app.platform.config) ?? `http://localhost:${app.platform.config.port}`
        const page = pages.get(origin) ?? createDocument(origin)
        pages.set(origin, page)
        return sendFixedPage(await page, request, reply)
      },
    })
  },
  { name: 'asyncapi', dependencies: ['security'] },
)

/** The servers of the document are where it was read. */
function createDocument(origin: string): Promise<FixedPage> {
  return createFixedPage('application/json; charset=utf-8', JSON.stringify(asyncApiDocument(origin)))
}
