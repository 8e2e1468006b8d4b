import fp from 'fastify-plugin'
import type { App } from '../../../context.ts'
import { countRead } from '../../calls/count-read.ts'
import { sendFailure } from '../../error-response.ts'
import { createFixedPage, type FixedPage, sendFixedPage } from '../../pages/fixed-page.ts'
import { assertQuery } from '../query-parameters.ts'
import { asyncApiDocument } from './document.ts'

/** `/api/asyncapi.json`: what `/api/events` and `/ws` send. */
export const asyncApi = fp<{ app: App }>(
  async (fastify, { app }) => {
    let page: Promise<FixedPage> | undefined
    fastify.get('/api/asyncapi.json', {
      config: { isOpen: true },
      errorHandler: sendFailure,
      onRequest: countRead(app),
      handler: async (request, reply) => {
        assertQuery(request.query)
        page ??= createFixedPage('application/json; charset=utf-8', JSON.stringify(asyncApiDocument(getOrigin(app))))
        return sendFixedPage(await page, request, reply)
      },
    })
  },
  { name: 'asyncapi', dependencies: ['security'] },
)

/** Without PUBLIC_URL, the server as it is reached from its own machine. */
function getOrigin({ config }: App): string {
  return config.publicUrl ?? `http://localhost:${config.port}`
}
