import fp from 'fastify-plugin'
import type { App } from '../../../context.ts'
import { countRead } from '../../calls/count-read.ts'
import { sendFailure } from '../../error-response.ts'
import { fixedPage, sendFixedPage } from '../../pages/fixed-page.ts'
import { assertQuery } from '../query-parameters.ts'
import { asyncApiDocument } from './document.ts'

/** `/api/asyncapi.json`: what `/api/events` and `/ws` send. */
export const asyncApi = fp<{ app: App }>(
  async (fastify, { app }) => {
    fastify.get('/api/asyncapi.json', {
      schema: { hide: true },
      config: { isOpen: true },
      errorHandler: sendFailure,
      onRequest: countRead(app),
      handler: async (request, reply) => {
        assertQuery(request.query)
        const origin = app.config.publicUrl ?? `${request.protocol}://${request.host}`
        const page = fixedPage('application/json; charset=utf-8', JSON.stringify(asyncApiDocument(origin)))
        return sendFixedPage(page, request, reply)
      },
    })
  },
  { name: 'asyncapi', dependencies: ['security'] },
)
