/** The context of a call: its cookies, its API key, and the journal positions that the caller has seen. */

import { isIP } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App, CallCookie, CallCookies, Context, CookieWriter, RelyingParty } from '../../context.ts'
import { BadInputError } from '../../errors.ts'
import { isLoopback } from '../../security/client-address.ts'

const NO_COOKIE: CallCookie = { token: null, writer: null }

/** The cookies of a call that has no cookies or may not use them. */
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
    isSecureContext: () => isSecureContext(app, request),
    proofOfWork: readProofOfWork(request),
    apiKey,
    cookies: apiKey === null ? new ExchangeCookies(exchange) : NO_COOKIES,
    relyingParty: () => findRelyingParty(request, app.platform.config.publicUrl),
    span: request.span,
    reportPosition: createPositionReport(app, { request, reply, isCookieAllowed: apiKey === null }),
    header: (name, value) => void reply.header(name, value),
    acquireSubscriptionSlot: refuseSubscription,
  }
}

/** The cookies of a request and its response. Each cookie is read when it is used, because most calls use one. */
class ExchangeCookies implements CallCookies {
  readonly #exchange: Exchange

  constructor(exchange: Exchange) {
    this.#exchange = exchange
  }

  get session() {
    return this.#read(SESSION_COOKIE)
  }

  get reset() {
    return this.#read(RESET_COOKIE)
  }

  get trustedBrowser() {
    return this.#read(KNOWN_COOKIE)
  }

  get passkey() {
    return this.#read(PASSKEY_COOKIE)
  }

  get browser() {
    return this.#read(BROWSER_COOKIE)
  }

  #read(name: CookieName) {
    const isSecure = usesHttps(this.#exchange)
    const writer = new ResponseCookie(name, this.#exchange, isSecure)
    return { ...readTokenCookie(name, this.#exchange, isSecure), writer }
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
    isSecureContext: () => isSecureContext(app, request),
    proofOfWork: null,
    apiKey,
    cookies: apiKey === null ? { ...NO_COOKIES, session: { ...session, writer: null } } : NO_COOKIES,
    relyingParty: () => findRelyingParty(request, app.platform.config.publicUrl),
    header: () => {},
    acquireSubscriptionSlot,
  }
}

/** Returns whether browsers treat the page as a secure context. Browsers offer WebCrypto only in a secure context. */
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
 * Returns the relying party for a URL. Returns null if browsers do not support passkeys at the URL. Passkeys need HTTPS
 * with a domain name, or localhost.
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

export const SESSION_COOKIE = 'papermoon_session'
const RESET_COOKIE = 'papermoon_reset'
const KNOWN_COOKIE = 'papermoon_known'
const PASSKEY_COOKIE = 'papermoon_passkey'
export const BROWSER_COOKIE = 'papermoon_browser'
export const SEEN_COOKIE = 'papermoon_seen'

/** Browsers accept a cookie with this prefix only over HTTPS from this exact host, so no sibling domain can set it. */
const HOST_PREFIX = '__Host-'

const DAY_S = 24 * 3_600

/**
 * Lifetime of each cookie in seconds. A cookie lives as long as the thing that it identifies, such as a session or a
 * reset code.
 */
const maxAgesS = {
  [SESSION_COOKIE]: 30 * DAY_S,
  [RESET_COOKIE]: 15 * 60,
  [KNOWN_COOKIE]: 365 * DAY_S,
  [PASSKEY_COOKIE]: 5 * 60,
  [BROWSER_COOKIE]: 90 * DAY_S,
  // A minute is enough for this cookie, because every node reads the journal much sooner.
  [SEEN_COOKIE]: 60,
} as const
type CookieName = keyof typeof maxAgesS

interface Visit {
  readonly request: FastifyRequest
  readonly publicUrl: string | null
}

export interface Exchange extends Visit {
  readonly reply: FastifyReply
}

/** One of the server's cookies, as a request contains it. */
interface SentCookie {
  readonly token: string | null
  /** Whether the cookie came over HTTPS but has the name without prefix, which earlier versions set. */
  readonly isOld: boolean
}

/** Reads one of the server's cookies. Over https, the cookie with the prefix takes precedence. */
export function readTokenCookie(name: CookieName, visit: Visit, isSecure = usesHttps(visit)): SentCookie {
  const { cookies } = visit.request
  const plain = cookies[name] ?? null
  if (!isSecure) return { token: plain, isOld: false }
  const token = cookies[`${HOST_PREFIX}${name}`] ?? null
  return token === null ? { token: plain, isOld: plain !== null } : { token, isOld: false }
}

/** Sets and clears one of the server's cookies on this response. */
export class ResponseCookie implements CookieWriter {
  readonly hasPrefix: boolean
  readonly #name: CookieName
  readonly #exchange: Exchange

  constructor(name: CookieName, exchange: Exchange, isSecure = usesHttps(exchange)) {
    this.#name = name
    this.#exchange = exchange
    this.hasPrefix = isSecure
  }

  set(token: string, maxAgeS: number = maxAgesS[this.#name]): void {
    this.#clearOld()
    this.#exchange.reply.setCookie(this.#fullName, token, { ...this.#attributes, maxAge: maxAgeS })
  }

  clear(): void {
    this.#clearOld()
    this.#exchange.reply.clearCookie(this.#fullName, this.#attributes)
  }

  get #fullName(): string {
    return this.hasPrefix ? `${HOST_PREFIX}${this.#name}` : this.#name
  }

  get #attributes() {
    return { path: '/', httpOnly: true, sameSite: 'lax', secure: this.hasPrefix } as const
  }

  #clearOld(): void {
    const { request, reply } = this.#exchange
    if (this.hasPrefix && request.cookies[this.#name] !== undefined) reply.clearCookie(this.#name, this.#attributes)
  }
}

/** Returns whether the browser uses HTTPS, according to the connection, a trusted proxy or `PUBLIC_URL`. */
function usesHttps({ request, publicUrl }: Visit): boolean {
  return request.protocol === 'https' || publicUrl?.startsWith('https:') === true
}

/**
 * Returns the API key from the header `Authorization: Bearer`, or null. If a request has a key, the server ignores its
 * cookies. A page of another site that sends a key therefore acts only for the key's owner. The server ignores other
 * authorization schemes, which belong to proxies.
 */
export function parseBearer(request: FastifyRequest): string | null {
  const match = /^bearer(?:\s+(.*))?$/i.exec(request.headers.authorization ?? '')
  return match === null ? null : (match[1] ?? '').trim()
}

/** Request header with the challenge and its solution, as JSON in base64url. */
export const PROOF_HEADER = 'proof-of-work'

export const SEEN_HEADER = 'papermoon-seen'

/** Returns whether other nodes may use the database. Other nodes can use the database unless this server started it. */
export function hasOtherNodes({ platform: { config } }: App): boolean {
  return config.databaseUrl !== null
}

/** Returns a function that sends the caller the journal positions of an order; undefined if there is no other node. */
export function createPositionReport(
  app: App,
  exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly isCookieAllowed: boolean },
): (() => void) | undefined {
  if (!hasOtherNodes(app)) return undefined
  const { request, reply, isCookieAllowed } = exchange
  return () => {
    const { fairs } = app.market
    const text = formatSeen({ fairground: app.live.feed.newest, fairs: fairs?.live.feed.newest ?? 0 })
    reply.header(SEEN_HEADER, text)
    if (isCookieAllowed)
      new ResponseCookie(SEEN_COOKIE, { request, reply, publicUrl: app.platform.config.publicUrl }).set(text)
  }
}

/** Positions as text: `1234.56`. */
export interface SeenPositions {
  readonly fairground: number
  readonly fairs: number
}

function formatSeen({ fairground, fairs }: SeenPositions): string {
  return `${fairground}.${fairs}`
}
