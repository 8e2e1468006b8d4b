import { isIP } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isLoopback } from '../../config.ts'
import type { App, CallCookie, CallCookies, Context, RelyingParty } from '../../context.ts'
import { BadInputError } from '../../errors.ts'
import { PROOF_HEADER } from '../error-response.ts'
import { createPositionReport } from './seen.ts'
import {
  BROWSER_COOKIE,
  type CookieName,
  type Exchange,
  KNOWN_COOKIE,
  PASSKEY_COOKIE,
  parseBearer,
  RESET_COOKIE,
  ResponseCookie,
  readTokenCookie,
  SESSION_COOKIE,
  usesHttps,
} from './token-cookies.ts'

const NO_COOKIE: CallCookie = { token: null, writer: null }

/** Cookies of a call that has no cookies or may not use them. */
export const NO_COOKIES: CallCookies = {
  session: { ...NO_COOKIE, isOld: false },
  reset: NO_COOKIE,
  trustedBrowser: NO_COOKIE,
  passkey: NO_COOKIE,
  browser: NO_COOKIE,
}

/** Creates the context for the calls in one HTTP request. If the request has an API key, its cookies are ignored. */
export function createHttpContext(app: App, request: FastifyRequest, reply: FastifyReply): Context {
  const exchange = { request, reply, publicUrl: app.platform.config.publicUrl }
  const apiKey = parseBearer(request)
  return {
    app,
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? null,
    isSecureContext: isSecureContext(app, request),
    proofOfWork: readProofOfWork(request),
    apiKey,
    cookies: apiKey === null ? readCookies(exchange) : NO_COOKIES,
    relyingParty: () => findRelyingParty(request, app.platform.config.publicUrl),
    span: request.span,
    reportPosition: createPositionReport(app, { request, reply, isCookieAllowed: apiKey === null }),
    header: (name, value) => void reply.header(name, value),
    acquireSubscriptionSlot: refuseSubscription,
  }
}

function readCookies(exchange: Exchange): CallCookies {
  const isSecure = usesHttps(exchange)
  const read = (name: CookieName) => ({
    ...readTokenCookie(name, exchange, isSecure),
    writer: new ResponseCookie(name, exchange, isSecure),
  })
  return {
    session: read(SESSION_COOKIE),
    reset: read(RESET_COOKIE),
    trustedBrowser: read(KNOWN_COOKIE),
    passkey: read(PASSKEY_COOKIE),
    browser: read(BROWSER_COOKIE),
  }
}

export function refuseSubscription(): never {
  throw new BadInputError('Subscriptions need a WebSocket.')
}

/** Creates the context for calls over one WebSocket, which cannot set cookies. `request` is the upgrade request. */
export function createSocketContext(
  app: App,
  request: FastifyRequest,
  acquireSubscriptionSlot: () => () => void,
): Context {
  const apiKey = parseBearer(request)
  const session = readTokenCookie(SESSION_COOKIE, { request, publicUrl: app.platform.config.publicUrl })
  return {
    app,
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? null,
    isSecureContext: isSecureContext(app, request),
    proofOfWork: null,
    apiKey,
    cookies: apiKey === null ? { ...NO_COOKIES, session: { ...session, writer: null } } : NO_COOKIES,
    relyingParty: () => findRelyingParty(request, app.platform.config.publicUrl),
    header: () => {},
    acquireSubscriptionSlot,
  }
}

/** Returns whether browsers treat the page as a secure context. Only then do they offer WebCrypto. */
function isSecureContext({ platform: { config } }: App, { protocol, hostname }: FastifyRequest): boolean {
  const isTls = protocol === 'https' || config.publicUrl?.startsWith('https:') === true
  return isTls || isLoopback(hostname.replace(/^\[|\]$/g, ''))
}

function readProofOfWork({ headers }: FastifyRequest): string | null {
  const proof = headers[PROOF_HEADER]
  return typeof proof === 'string' ? proof : null
}

/**
 * Finds the WebAuthn relying party: `PUBLIC_URL`, or localhost if the request names it. A forged Host header is
 * useless, because a passkey for localhost works only on pages from the owner's machine.
 */
function findRelyingParty(request: FastifyRequest, publicUrl: string | null): RelyingParty | null {
  if (publicUrl !== null) return toRelyingParty(publicUrl)
  return request.hostname === 'localhost' ? toRelyingParty(`${request.protocol}://${request.host}`) : null
}

/**
 * Returns the relying party for a URL. Returns null if browsers do not support passkeys there. They need HTTPS with a
 * domain name, or localhost.
 */
export function toRelyingParty(address: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(address)
  const isLocalhost = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (protocol !== 'https:' && !isLocalhost) return null
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return null
  return { id: hostname, origin }
}

/** Returns an `onRequest` hook that counts a read against the limit for reads, for routes that call no procedure. */
export function countRead(app: App): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  return async (request, reply) => {
    const header = (name: string, value: string) => void reply.header(name, value)
    await app.accounts.limits.spend({ ip: request.ip, header }, 'read')
  }
}
