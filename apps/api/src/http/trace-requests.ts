import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { App } from '../context.ts'
import type { Span } from '../tracing/tracing.ts'

/** The header with the trace to which a response belongs (W3C Trace Context, Level 2). */
export const TRACE_HEADER = 'traceresponse'
const FAULT = 500

/** Traces requests that call procedures, if a collector is configured. */
export const traceRequests = fp<{ app: App }>(
  async (
    fastify,
    {
      app: {
        platform: { tracing },
      },
    },
  ) => {
    fastify.decorateRequest('span', null)
    if (tracing === null) return
    fastify.addHook('onRequest', async (request, reply) => {
      if (!isTraced(request)) return
      const { method, headers, routeOptions } = request
      request.span = tracing.startRequest({ method, headers, route: routeOptions.url ?? '' })
      if (request.span !== null) reply.header(TRACE_HEADER, request.span.traceparent)
    })
    fastify.addHook('onResponse', async ({ span }, { statusCode }) => {
      span?.end({
        attributes: { 'http.response.status_code': statusCode },
        errorCode: statusCode >= FAULT ? String(statusCode) : null,
        isFault: statusCode >= FAULT,
      })
    })
  },
  { name: 'trace-requests' },
)

/**
 * Returns whether a request can be traced. Streams and sockets cannot be traced, because they last as long as their
 * clients listen.
 */
function isTraced({ headers, routeOptions: { url = '', config } }: FastifyRequest): boolean {
  if (headers.upgrade !== undefined || config.isStream === true) return false
  return url.startsWith('/api/') || url.startsWith('/trpc/')
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of the request. Null if the request is not traced. */
    span: Span | null
  }
}
