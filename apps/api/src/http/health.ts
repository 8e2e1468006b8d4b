import fp from 'fastify-plugin'
import { sql } from 'kysely'
import type { App } from '../context.ts'

/** `/healthz`: this process serves. `/readyz`: it reaches its database, too. */
export const health = fp<{ app: App }>(
  async (fastify, { app }) => {
    fastify.get('/healthz', async (_request, reply) => reply.type('text/plain; charset=utf-8').send('ok'))
    fastify.get('/readyz', async (_request, reply) => {
      const isReady = await sql`select 1`.execute(app.db).then(
        () => true,
        () => false,
      )
      reply.code(isReady ? 200 : 503).type('text/plain; charset=utf-8')
      return reply.send(isReady ? 'ready' : 'The database cannot be reached.')
    })
  },
  { name: 'health' },
)
