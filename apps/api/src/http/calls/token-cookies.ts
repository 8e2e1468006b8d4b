import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TokenCookie } from '../../context.ts'

export const SESSION_COOKIE = 'papermoon_session'
export const RESET_COOKIE = 'papermoon_reset'
export const KNOWN_COOKIE = 'papermoon_known'
export const PASSKEY_COOKIE = 'papermoon_passkey'
export const BROWSER_COOKIE = 'papermoon_browser'
export const SEEN_COOKIE = 'papermoon_seen'

/** Browsers accept such a cookie only over https from this very host, so no sibling domain can set it. */
const HOST_PREFIX = '__Host-'

const DAY_S = 24 * 3_600

/** Each lives as long as what it identifies: a session, a reset code, a trusted browser, a passkey login, a browser. */
const maxAgesS = {
  [SESSION_COOKIE]: 30 * DAY_S,
  [RESET_COOKIE]: 15 * 60,
  [KNOWN_COOKIE]: 365 * DAY_S,
  [PASSKEY_COOKIE]: 5 * 60,
  [BROWSER_COOKIE]: 90 * DAY_S,
  // Every node has polled the journal long before.
  [SEEN_COOKIE]: 60,
} as const
type CookieName = keyof typeof maxAgesS

interface Visit {
  readonly request: FastifyRequest
  readonly publicUrl: string | null
}

interface Exchange extends Visit {
  readonly reply: FastifyReply
}

/** One of our cookies in a request. */
interface SentCookie {
  readonly token: string | null
  /** Sent over https under the name without prefix, which earlier versions set. */
  readonly isOld: boolean
}

/** Reads one of our cookies; over https the prefixed name wins. */
export function readTokenCookie(name: CookieName, visit: Visit): SentCookie {
  const { cookies } = visit.request
  const plain = cookies[name] ?? null
  if (!isSecure(visit)) return { token: plain, isOld: false }
  const token = cookies[`${HOST_PREFIX}${name}`] ?? null
  return token === null ? { token: plain, isOld: plain !== null } : { token, isOld: false }
}

/** Sets and clears one of our cookies on this answer. Both also remove the one under the old name. */
export function tokenCookie(name: CookieName, { request, reply, publicUrl }: Exchange): TokenCookie {
  const secure = isSecure({ request, publicUrl })
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const
  const fullName = secure ? `${HOST_PREFIX}${name}` : name
  const clearOld = () => {
    if (secure && request.cookies[name] !== undefined) reply.clearCookie(name, attributes)
  }
  return {
    hasPrefix: secure,
    set: (token, maxAgeS = maxAgesS[name]) => {
      clearOld()
      reply.setCookie(fullName, token, { ...attributes, maxAge: maxAgeS })
    },
    clear: () => {
      clearOld()
      reply.clearCookie(fullName, attributes)
    },
  }
}

/** Whether the browser uses https, according to the connection, a trusted proxy or PUBLIC_URL. */
function isSecure({ request, publicUrl }: Visit): boolean {
  return request.protocol === 'https' || publicUrl?.startsWith('https:') === true
}
