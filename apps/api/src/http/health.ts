import fp from 'fastify-plugin'
import { SharedRead } from '../cache/shared-read.ts'
import type { App } from '../context.ts'
import { type DatabaseCondition, probeDatabase } from '../database/probe-database.ts'
import { SEEN_AS_HEADER } from '../security/client-address.ts'
import { countRead } from './calls/count-read.ts'

const PROBE_EVERY_MS = 1_000
const ANSWERS: Record<DatabaseCondition, string> = {
  ready: 'ready',
  full: 'The disk of the database is full.',
  away: 'The database cannot be reached.',
}

/**
 * Serves `/healthz`, which says that the process responds, and `/readyz`. `/readyz` says that the process is not about
 * to stop, and that its database responds and has disk space. The database is checked at most once a second.
 */
export const health = fp<{ app: App }>(
  async (fastify, { app }) => {
    fastify.get('/healthz', async ({ ip, host }, reply) =>
      reply.type('text/plain; charset=utf-8').header(SEEN_AS_HEADER, `${ip} ${host}`).send('ok'),
    )
    const probe = new SharedRead<DatabaseCondition>(PROBE_EVERY_MS)
    fastify.get('/readyz', { onRequest: countRead(app) }, async (_request, reply) => {
      reply.type('text/plain; charset=utf-8')
      if (app.platform.draining.signal.aborted) return reply.code(503).send('The server is about to stop.')
      const condition = await probe.get(app.platform.clock.now().getTime(), () => probeDatabase(app))
      return reply.code(condition === 'ready' ? 200 : 503).send(ANSWERS[condition])
    })
  },
  { name: 'health' },
)
