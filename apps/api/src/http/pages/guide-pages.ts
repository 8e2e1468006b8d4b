import { fillIn } from '@papermoon/guide/fill-in'
import fp from 'fastify-plugin'
import type { App } from '../../context.ts'
import { countRead } from '../calls/count-read.ts'
import { sendFailure } from '../error-response.ts'
import { createFixedPage, serveAtOrigins } from './fixed-page.ts'
import { guideDocuments } from './guide-documents.ts'

/** Max number of cached documents. The limit is needed, because the client chooses the Host header. */
const PAGES_MAX = 128

/** Serves the guide as Markdown and as pages without scripts, `/llms.txt`, and an index at `/api`. */
export const guidePages = fp<{ app: App; hasScreens: boolean }>(
  async (fastify, { app, hasScreens }) => {
    const serve = serveAtOrigins(fastify, app, PAGES_MAX)
    for (const [path, { type, render }] of guideDocuments) {
      // Skip this page, because the screen already contains its text.
      if (path === '/developers' && hasScreens) continue
      serve({ path, create: (url) => createFixedPage(type, fillIn(render(), { url })) })
    }
    fastify.get('/api', {
      config: { isOpen: true },
      errorHandler: sendFailure,
      onRequest: countRead(app),
      handler: async (_request, reply) => reply.header('cache-control', 'no-cache').send(INDEX),
    })
  },
  { name: 'guide-pages', dependencies: ['security'] },
)

/** Links for a program that knows only the server's URL. */
const INDEX = {
  guide: '/developers.md',
  openapi: '/api/openapi.json',
  asyncapi: '/api/asyncapi.json',
  reference: '/api/reference',
  errors: '/developers/errors',
  events: '/api/events',
  parameters: '/api/parameters',
}
