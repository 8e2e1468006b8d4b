import { timingSafeEqual } from 'node:crypto'
import { type FastifyRequest, fastify as fastifyOf } from 'fastify'
import fp from 'fastify-plugin'
import { Histogram, Registry } from 'prom-client'
import { SharedRead } from '../cache/shared-read.ts'
import type { Config } from '../config.ts'
import type { App } from '../context.ts'
import { type DatabaseCondition, probeDatabase } from '../database/probe-database.ts'
import { NotFoundError } from '../errors.ts'
import { hashSecret } from '../features/account/credentials.ts'
import { isLoopback, SEEN_AS_HEADER } from '../security/client-address.ts'
import { countRead, parseBearer } from './calls/call-context.ts'

/**
 * Serves `/metrics` for Prometheus, with the durations of HTTP requests. If `METRICS_TOKEN` is set, only its holders
 * can read the metrics, and everyone else gets 404. Local callers also need the token, because a proxy may hide where a
 * caller is.
 */
export const metrics = fp<{ app: App }>(
  async (fastify, { app }) => {
    const durations = new Histogram({
      name: 'papermoon_http_request_duration_seconds',
      help: 'Time to answer an HTTP request.',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers: [app.platform.metrics],
    })
    // Cache time series by their labels, because finding a series costs more than observing a value. There are only a
    // few methods, routes and statuses.
    const series = new Map<string, { observe(seconds: number): void }>()
    fastify.addHook('onResponse', (request, { statusCode: status, elapsedTime }, done) => {
      const { config, url: route = 'none' } = request.routeOptions
      const { method } = request
      // Do not observe the duration of streams, because they last as long as their clients listen.
      const isStream = config.isStream === true && status < 400
      // Use the route's pattern, because there is no limit to the number of URLs.
      const key = `${status} ${method} ${route}`
      const known = series.get(key) ?? durations.labels({ method, route, status })
      series.set(key, known)
      if (!isStream) known.observe(elapsedTime / 1_000)
      done()
    })
    fastify.get('/metrics', { onRequest: countRead(app) }, async (request, reply) => {
      if (!mayRead(request, app.platform.config)) throw new NotFoundError('There is nothing at this address.')
      return reply.type(app.platform.metrics.contentType).send(await app.platform.metrics.metrics())
    })
  },
  { name: 'metrics' },
)

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route responds with a stream that ends only when its client leaves. */
    readonly isStream?: boolean
  }
}

function mayRead(request: FastifyRequest, { metricsToken }: Config): boolean {
  const token = parseBearer(request)
  return metricsToken !== null && token !== null && timingSafeEqual(hashSecret(token), hashSecret(metricsToken))
}

interface MetricsPort {
  /** URL at which the metrics are served. */
  readonly address: string
  close(): Promise<void>
}

/** Serves the metrics on a free port of the loopback address. No proxy forwards requests to this port. */
export async function openMetricsPort(gatherMetrics: () => Promise<string>): Promise<MetricsPort> {
  const fastify = fastifyOf()
  fastify.get('/metrics', async ({ hostname }, reply) => {
    // Reject other host names, because they may come from a page in a browser on this machine (DNS rebinding).
    if (!isLoopback(hostname)) return reply.callNotFound()
    return reply.type(Registry.PROMETHEUS_CONTENT_TYPE).send(await gatherMetrics())
  })
  const origin = await fastify.listen({ port: 0, host: '127.0.0.1' })
  return { address: `${origin}/metrics`, close: () => fastify.close() }
}

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
