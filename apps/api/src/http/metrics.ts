import fp from 'fastify-plugin'
import { Histogram } from 'prom-client'
import type { App } from '../context.ts'
import { countRead } from './count-read.ts'

/** `/metrics` for Prometheus, and the times of HTTP requests in it. */
export const metrics = fp<{ app: App }>(
  async (fastify, { app }) => {
    const durations = new Histogram({
      name: 'papermoon_http_request_duration_seconds',
      help: 'Time to answer an HTTP request.',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers: [app.metrics],
    })
    fastify.addHook('onResponse', async (request, reply) => {
      // Routes, not addresses: those are without number.
      const route = request.routeOptions.url ?? 'none'
      durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1_000)
    })
    fastify.get('/metrics', { onRequest: countRead(app) }, async (_request, reply) =>
      reply.type(app.metrics.contentType).send(await app.metrics.metrics()),
    )
  },
  { name: 'metrics' },
)
