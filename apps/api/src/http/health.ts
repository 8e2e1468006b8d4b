import { withTimeout } from '@papermoon/db'
import fp from 'fastify-plugin'
import { sql } from 'kysely'
import { SharedRead } from '../cache/shared-read.ts'
import type { App } from '../context.ts'
import { countRead } from './calls/count-read.ts'

const PROBE_EVERY_MS = 1_000
/** A silent database counts as away long before its connections time out. */
const ANSWER_WITHIN_MS = 2_000

/**
 * `/healthz`: the process serves. `/readyz`: it also reaches its database, probed at most once a second, and is not about to
 * stop.
 */
export const health = fp<{ app: App }>(
  async (fastify, { app }) => {
    fastify.get('/healthz', async (_request, reply) => reply.type('text/plain; charset=utf-8').send('ok'))
    const probe = new SharedRead<boolean>(PROBE_EVERY_MS)
    fastify.get('/readyz', { onRequest: countRead(app) }, async (_request, reply) => {
      reply.type('text/plain; charset=utf-8')
      if (app.draining.signal.aborted) return reply.code(503).send('The server is about to stop.')
      const probed = probe.get(app.clock.now().getTime(), () => reachesDatabase(app))
      const isReady = await withTimeout(probed, ANSWER_WITHIN_MS).catch(() => false)
      return reply.code(isReady ? 200 : 503).send(isReady ? 'ready' : 'The database cannot be reached.')
    })
  },
  { name: 'health' },
)

async function reachesDatabase({ db }: App): Promise<boolean> {
  return await sql`select 1`.execute(db).then(
    () => true,
    () => false,
  )
}
