/** The HTTP server: its limits, its parser of JSON, and the headers of all responses. */

import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { BOUNDS } from '@papermoon/contract/bounds'
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  fastify as fastifyOf,
  LogController,
} from 'fastify'
import helmet from 'helmet'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { App } from '../context.ts'
import { BadInputError } from '../errors.ts'
import { parseBoundedJson } from '../validation/plain-input.ts'
import { sendFailure } from './error-response.ts'

/** Max time in which a client must send its whole request, in ms. A slow phone can send 5 MB in this time. */
const REQUEST_TIMEOUT_MS = 90_000
/** Idle time after which a connection is closed, in ms. The server does not close idle WebSockets, but pings them. */
const IDLE_CONNECTION_MAX_MS = 60_000

/** Creates the HTTP server. Failures outside of a route get the same responses as failures in a route. */
export function createFastify(config: Config, log: Logger): FastifyInstance {
  const fastify = fastifyOf({
    loggerInstance: log as FastifyBaseLogger,
    // Do not log each request, because two log lines would cost more than most requests. Failures are logged, and
    // /metrics counts requests.
    logController: new LogController({ disableRequestLogging: true }),
    // Create no child logger for each request, because requests are not logged.
    childLoggerFactory: (logger) => logger,
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: IDLE_CONNECTION_MAX_MS,
    // Serve requests that arrive while the server closes; the engine itself rejects orders.
    return503OnClosing: false,
    http: {
      // Accept only WebSocket upgrades. Some clients offer an HTTP/2 upgrade with every plain request and expect an
      // HTTP/1.1 response.
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
      // Let this server's own host check reject such requests, because Node's response lacks this server's headers.
      requireHostHeader: false,
    },
    clientErrorHandler: refuseUnreadable(getDataHeaders(config)),
    frameworkErrors: (error, request, reply) => {
      // Close the socket of an upgrade with an invalid URL here, because no hook runs for such a URL.
      if (request.headers.upgrade !== undefined) reply.raw.once('finish', () => request.raw.socket.destroySoon())
      // Set the headers here, because the usual hook does not run for these responses.
      reply.headers(getDataHeaders(config)).header(REQUEST_ID_HEADER, request.id)
      sendFailure(error, request, reply)
    },
  })
  fastify.setErrorHandler(sendFailure)
  // Ignore an `Expect` header, which HTTP allows, because Node's own rejection lacks this server's headers.
  fastify.server.on('checkExpectation', (...exchange) => fastify.server.emit('request', ...exchange))
  return fastify
}

/**
 * Responses to requests that cannot be parsed, by Node's error code. Any other error means that the bytes are not HTTP.
 */
const REFUSALS: Readonly<Record<string, { readonly status: number; readonly sentence: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, sentence: 'The request took too long to arrive.' },
  HPE_HEADER_OVERFLOW: { status: 431, sentence: 'The URL and headers of the request are too large.' },
}
const NOT_HTTP = { status: 400, sentence: 'Could not read the request.' }

type Refuse = (error: Error & { readonly code?: string }, socket: Duplex) => void

/**
 * Returns a function that rejects a request that cannot be parsed. The function responds with one plain sentence and
 * closes the connection.
 */
export function refuseUnreadable(headers: Readonly<Record<string, string>>): Refuse {
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return
    const { status, sentence } = REFUSALS[error.code ?? ''] ?? NOT_HTTP
    if (socket.writable) {
      const lines = [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        'Connection: close',
        'Content-Type: text/plain; charset=utf-8',
        `Content-Length: ${sentence.length}`,
        ...more,
      ]
      socket.write(`${lines.join('\r\n')}\r\n\r\n${sentence}`)
    }
    socket.destroy(error)
  }
}

/** Max size of a body in bytes. No valid input needs such a large body. */
const BODY_BYTES_MAX = BOUNDS.bodyBytes

/**
 * Accepts only JSON bodies. An empty body becomes `undefined`, with or without a content type. A body that exceeds the
 * limits becomes `OVERSIZED_JSON`.
 */
export function takeOnlyJson(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers()
  const options = { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX } as const
  fastify.addContentTypeParser<Buffer>('application/json', options, (_request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    try {
      // Reject invalid UTF-8, because `toString` would replace invalid bytes with other characters.
      if (!isUtf8(body)) throw new SyntaxError('not UTF-8')
      done(null, parseBoundedJson(body.toString()))
    } catch {
      done(new BadInputError('The request is not valid JSON.'))
    }
  })
}

/**
 * Response header with the request's id, which is also in the log. Ids from clients are ignored, because they may not
 * be unique.
 */
export const REQUEST_ID_HEADER = 'x-request-id'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route responds with a page, although its path begins like the path of a call. */
    readonly isPage?: true
  }
}

type Headers = Readonly<Record<string, string>>

/** Matches paths of calls, whose responses are data. */
const DATA = /^\/(api|trpc)(\/|\?|$)/
/**
 * Headers of responses that contain data. If a browser opens data as a page, these headers prevent the data from
 * running, loading or embedding anything.
 */
const DATA_HEADERS: Headers = {
  'content-security-policy': "default-src 'none';object-src 'none';base-uri 'none';frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** A placeholder for this server's WebSocket URLs in the security policy. */
const SOCKETS = 'wss://sockets.invalid'

/**
 * Browser features that no page uses. The list leaves out names that browsers do not know, because these would only
 * cause a warning.
 */
const DENIED = [
  'accelerometer autoplay browsing-topics camera clipboard-read compute-pressure display-capture',
  'encrypted-media fullscreen gamepad geolocation gyroscope hid identity-credentials-get idle-detection',
  'keyboard-map local-fonts magnetometer microphone midi otp-credentials payment picture-in-picture',
  'screen-wake-lock serial storage-access sync-xhr usb window-management xr-spatial-tracking',
].flatMap((names) => names.split(' '))
/** Browser features that copy buttons and passkeys need. */
const OWN = ['clipboard-write', 'publickey-credentials-create', 'publickey-credentials-get']
const PERMISSIONS = [...DENIED.map((name) => `${name}=()`), ...OWN.map((name) => `${name}=(self)`)].join(', ')

/** The value of Strict-Transport-Security that helmet sends. */
export const HSTS = 'max-age=31536000; includeSubDomains'

/** Returns whether players reach the server over HTTPS. */
function hasTls({ publicUrl }: Pick<Config, 'publicUrl'>): boolean {
  return publicUrl?.startsWith('https:') === true
}

/** Returns the headers for data, which also fit responses that a library creates before any hook runs. */
export function getDataHeaders(config: Config): Headers {
  return hasTls(config) ? { ...DATA_HEADERS, 'strict-transport-security': HSTS } : DATA_HEADERS
}

/**
 * Returns helmet's security headers, computed once instead of for each response. Pages can run only the server's own
 * script files, and the inline `scripts` with these CSP hashes.
 */
export function securityHeaders(
  { platform: { config } }: App,
  scripts: readonly string[],
): (request: FastifyRequest) => Headers {
  const isTls = hasTls(config)
  const headers = recorded(
    helmet({
      // Use this header and upgradeInsecureRequests below only with TLS, because they would otherwise send browsers to
      // a TLS port that does not exist.
      strictTransportSecurity: isTls,
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          ...(scripts.length > 0 && { scriptSrc: ["'self'", ...scripts] }),
          // Allow style elements, because Mantine writes them.
          styleSrc: ["'self'", "'unsafe-inline'"],
          imgSrc: ["'self'", 'data:', 'blob:'],
          fontSrc: ["'self'", 'data:'],
          // Name the sockets explicitly, because in some browsers 'self' does not include a WebSocket to the same host.
          connectSrc: ["'self'", SOCKETS],
          objectSrc: ["'none'"],
          baseUri: ["'none'"],
          formAction: ["'self'"],
          frameAncestors: ["'none'"],
          // Only the web app's own policy can turn text into HTML or a script (apps/web/src/lib/boot/trusted-types.ts).
          requireTrustedTypesFor: ["'script'"],
          trustedTypes: ['default'],
          ...(isTls && { upgradeInsecureRequests: [] }),
        },
      },
    }),
  )
  const [before = '', after = ''] = (headers['content-security-policy'] ?? '').split(SOCKETS)
  const dataHeaders = getDataHeaders(config)
  return ({ url, headers: { host }, routeOptions }) =>
    DATA.test(url) && routeOptions.config?.isPage !== true
      ? dataHeaders
      : {
          ...headers,
          'content-security-policy': `${before}${socketSource(host, config.publicUrl)}${after}`,
          'permissions-policy': PERMISSIONS,
        }
}

/** Returns the headers that a middleware sets. */
function recorded(middleware: ReturnType<typeof helmet>): Headers {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  middleware(request, response, () => {})
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]))
}

function socketSource(host: string | undefined, publicUrl: string | null): string {
  if (publicUrl !== null) return publicUrl.replace(/^http/, 'ws')
  // Allow only characters of host names in the policy, because the Host header is not trusted.
  return host !== undefined && /^[\w.:[\]-]+$/.test(host) ? `ws://${host} wss://${host}` : "'self'"
}
