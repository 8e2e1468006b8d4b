import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CookieWriter } from '../../context.ts'

export const SESSION_COOKIE = 'papermoon_session'
export const RESET_COOKIE = 'papermoon_reset'
export const KNOWN_COOKIE = 'papermoon_known'
export const PASSKEY_COOKIE = 'papermoon_passkey'
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
  // A minute is enough, because every node reads the journal much sooner.
  [SEEN_COOKIE]: 60,
} as const
export type CookieName = keyof typeof maxAgesS

interface Visit {
  readonly request: FastifyRequest
  readonly publicUrl: string | null
}

export interface Exchange extends Visit {
  readonly reply: FastifyReply
}

/** One of the server's cookies in a request. */
interface SentCookie {
  readonly token: string | null
  /** Whether the cookie came over HTTPS but has the name without prefix, which earlier versions set. */
  readonly isOld: boolean
}

/** Reads one of the server's cookies. Over https, the name with the prefix takes precedence. */
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
export function usesHttps({ request, publicUrl }: Visit): boolean {
  return request.protocol === 'https' || publicUrl?.startsWith('https:') === true
}

/**
 * Returns the API key from the header `Authorization: Bearer`, or null. If a request has a key, the server ignores its
 * cookies. A page of another site that sends a key therefore acts only for the key's owner. Other schemes belong to
 * proxies and are ignored.
 */
export function parseBearer(request: FastifyRequest): string | null {
  const match = /^bearer(?:\s+(.*))?$/i.exec(request.headers.authorization ?? '')
  return match === null ? null : (match[1] ?? '').trim()
}
