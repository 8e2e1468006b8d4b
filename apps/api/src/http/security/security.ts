import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import proxyAddress from '@fastify/proxy-addr'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../../config.ts'
import type { App } from '../../context.ts'
import { BadInputError, CrossOriginError, ForeignHostError } from '../../errors.ts'
import { parseBearer } from '../calls/call-context.ts'
import { REQUEST_ID_HEADER, securityHeaders } from '../create-fastify.ts'

/** Paths of health checks. Requests for health checks may use any of the machine's IP addresses. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

const PORT = /:\d{1,5}$/

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

interface SecurityOptions {
  readonly app: App
  /** Folder of the built web app; null to serve only the API. */
  readonly webRoot: string | null
}

/** Adds security headers, checks the Host header, and rejects writes from pages of other sites. */
export const security = fp<SecurityOptions>(
  async (fastify, { app, webRoot }) => {
    const { allowedHosts } = app.platform.config
    const { securityLog } = app.accounts
    const assertSameOrigin = sameOriginGuard(app.platform.config)
    const refuseOtherOrigins = (request: FastifyRequest): void => {
      try {
        assertSameOrigin(request)
      } catch (error) {
        const [path = ''] = request.url.split('?')
        if (error instanceof CrossOriginError) securityLog.attempt({ ip: request.ip, code: error.code, path })
        throw error
      }
    }
    const assertHost = createHostCheck()
    const headersFor = securityHeaders(app, inlineScripts(webRoot))
    fastify.addHook('onRequest', (request, reply, done) => {
      try {
        reply.headers(headersFor(request)).header(REQUEST_ID_HEADER, request.id)
        assertHost(request)
        assertAllowedHost(request, allowedHosts)
        const methods = findAllowedMethods(request)
        if (methods !== null) {
          answerPreflight(reply, methods)
          return
        }
        allowOtherOrigins(request, reply)
        const isWrite = !SAFE_METHODS.has(request.method) || (isUpgrade(request) && !isOpen(request))
        if (isWrite && !hasKey(request)) refuseOtherOrigins(request)
      } catch (error) {
        done(error as Error)
        return
      }
      done()
    })
  },
  { name: 'security', dependencies: ['live-sockets'] },
)

function isUpgrade(request: FastifyRequest): boolean {
  return request.headers.upgrade?.toLowerCase() === 'websocket'
}

const INLINE = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g

/** Returns the CSP hashes of the inline scripts in the built page; empty if there is no built page. */
function inlineScripts(webRoot: string | null): string[] {
  const file = webRoot === null ? null : join(webRoot, 'index.html')
  if (file === null || !existsSync(file)) return []
  const scripts = [...readFileSync(file, 'utf8').matchAll(INLINE)].map(([, script = '']) => script)
  return scripts.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`)
}

/**
 * Returns a check that throws `CrossOriginError` if the `Origin` header names another site. Requests without the header
 * pass, because browsers send it with every write, and other programs do not send cookies by accident.
 */
export function sameOriginGuard(config: Pick<Config, 'publicUrl' | 'trustProxy'>): (request: FastifyRequest) => void {
  const { publicUrl } = config
  const publicHost = publicUrl === null ? null : new URL(publicUrl).host
  const isTrusted = trustedProxies(config)
  return (request) => {
    const { origin } = request.headers
    if (origin === undefined || origin === publicUrl) return
    const sender = URL.canParse(origin) ? new URL(origin) : null
    const host = request.host.toLowerCase()
    // If PUBLIC_URL is set, it determines the scheme, and the other scheme is another origin.
    if (sender === null || sender.host === '' || sender.host !== host || host === publicHost)
      throw new CrossOriginError()
    const scheme = forwardedScheme(request, isTrusted)
    // The scheme is null behind a proxy that ends TLS without reporting it.
    if (scheme !== null && sender.protocol !== `${scheme}:`) throw new CrossOriginError()
  }
}

/**
 * Returns a check that throws `BadInputError` for an impossible host, such as localhost:99999, and for HTTP/1.1 without
 * a host. Health checks may have an empty host.
 */
function createHostCheck(): (request: FastifyRequest) => void {
  // Remember the last valid host, because most requests have the same one.
  let last = ''
  return ({ host, raw }) => {
    const isMissing = raw.headers.host === undefined && raw.httpVersion === '1.1'
    if (!isMissing && (host === last || host === '')) return
    if (isMissing || !URL.canParse(`http://${host}`)) throw new BadInputError('The Host header names no host.')
    last = host
  }
}

/** Throws `ForeignHostError` if the request's host is not in ALLOWED_HOSTS. An empty list of hosts allows all hosts. */
function assertAllowedHost(request: FastifyRequest, allowedHosts: readonly string[]): void {
  if (isAllowedHost(request.host, allowedHosts) || PROBES.has(request.url.split('?')[0] ?? '')) return
  throw new ForeignHostError()
}

/** Returns whether ALLOWED_HOSTS allows a host. A host without a port is allowed at every port. */
export function isAllowedHost(host: string, allowedHosts: readonly string[]): boolean {
  if (allowedHosts.length === 0) return true
  const asked = host.toLowerCase()
  return allowedHosts.includes(asked) || allowedHosts.includes(asked.replace(PORT, ''))
}

/** Returns a function that checks whether a connection comes from a proxy in TRUST_PROXY. */
export function trustedProxies({ trustProxy }: Pick<Config, 'trustProxy'>): (address: string | undefined) => boolean {
  if (trustProxy.length === 0) return () => false
  const isTrusted = proxyAddress.compile([...trustProxy])
  return (address) => address !== undefined && isTrusted(address, 0)
}

/** Returns the browser's scheme if a trusted proxy forwarded it; otherwise null. */
function forwardedScheme(request: FastifyRequest, isTrusted: (address: string | undefined) => boolean): string | null {
  const isTold = request.headers['x-forwarded-proto'] !== undefined && isTrusted(request.socket.remoteAddress)
  return isTold ? request.protocol : null
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Whether pages of every origin can read the route's responses, because they contain public data or data that an
     * API key can read.
     */
    readonly isOpen?: boolean | ((request: FastifyRequest) => boolean)
  }
}

const CALLS = /^\/(api|trpc)\//
const EXPOSED =
  'RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Link, ETag, Age, Warning, Idempotency-Key, Idempotent-Replayed, Papermoon-Seen, WWW-Authenticate, Deprecation, Sunset, X-Request-Id'
const HEADERS =
  'authorization, content-type, idempotency-key, papermoon-seen, trpc-accept, last-event-id, if-none-match, if-modified-since, cache-control'
const ALL_METHODS = 'GET, POST, PUT, DELETE'
const READING_METHODS = 'GET, HEAD'
const READING: ReadonlySet<string> = new Set(READING_METHODS.split(', '))
const PREFLIGHT_AGE_S = 7_200

/**
 * Returns the methods to allow for a CORS preflight. Returns null if the request is not a preflight, or if it is about
 * account data.
 */
function findAllowedMethods(request: FastifyRequest): string | null {
  const { method, url, headers } = request
  const wanted = headers['access-control-request-method']
  if (method !== 'OPTIONS' || wanted === undefined) return null
  const names = String(headers['access-control-request-headers'] ?? '').toLowerCase()
  if (CALLS.test(url) && names.split(',').some((name) => name.trim() === 'authorization')) return ALL_METHODS
  return isOpenRoute(request) && READING.has(wanted) ? READING_METHODS : null
}

/**
 * Allows the request after a preflight. Requests for account data without a key are still rejected, and CORS
 * credentials stay off.
 */
function answerPreflight(reply: FastifyReply, methods: string): FastifyReply {
  return reply
    .code(204)
    .header('access-control-allow-origin', '*')
    .header('access-control-allow-methods', methods)
    .header('access-control-allow-headers', HEADERS)
    .header('access-control-max-age', String(PREFLIGHT_AGE_S))
    .send()
}

/**
 * Lets pages of other sites read public responses, and responses to calls with a key. The header's value is always `*`,
 * so cached responses fit every origin, and credentials are never allowed.
 */
function allowOtherOrigins(request: FastifyRequest, reply: FastifyReply): void {
  if (!isOpen(request) && !(hasKey(request) && CALLS.test(request.url))) return
  reply
    .header('access-control-allow-origin', '*')
    .header('access-control-expose-headers', EXPOSED)
    .header('cross-origin-resource-policy', 'cross-origin')
}

/** Returns whether a request contains an API key. Browsers never add an API key by themselves. */
function hasKey(request: FastifyRequest): boolean {
  return parseBearer(request) !== null
}

/** Returns whether a request only reads public data. */
export function isOpen(request: FastifyRequest): boolean {
  return READING.has(request.method) && isOpenRoute(request)
}

function isOpenRoute(request: FastifyRequest): boolean {
  const isOpen = request.routeOptions.config?.isOpen
  return typeof isOpen === 'function' ? isOpen(request) : isOpen === true
}
