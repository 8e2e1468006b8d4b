import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TokenCookie } from '../../context.ts'

export const SESSION_COOKIE = 'papermoon_session'
export const RESET_COOKIE = 'papermoon_reset'
export const KNOWN_COOKIE = 'papermoon_known'
export const PASSKEY_COOKIE = 'papermoon_passkey'
export const BROWSER_COOKIE = 'papermoon_browser'

/** With it a browser takes a cookie only over https from this very host: no other host of the domain can plant one. */
const HOST_PREFIX = '__Host-'

const DAY_S = 24 * 3_600

/**
 * The session's cookie lives as long as the session does: both are prolonged together. A reset code is good for 15
 * minutes. That a browser is known outlives many sessions. Which browser it is is kept for 90 days after the last sign-in.
 */
const maxAgesS = {
  [SESSION_COOKIE]: 30 * DAY_S,
  [RESET_COOKIE]: 15 * 60,
  [KNOWN_COOKIE]: 365 * DAY_S,
  [PASSKEY_COOKIE]: 5 * 60,
  [BROWSER_COOKIE]: 90 * DAY_S,
} as const
type CookieName = keyof typeof maxAgesS

interface Visit {
  readonly request: FastifyRequest
  readonly publicUrl: string | null
}

interface Exchange extends Visit {
  readonly reply: FastifyReply
}

/** A cookie of ours that a request came with. */
interface SentCookie {
  readonly token: string | null
  /** It came over https under the name that it had before names got a prefix. */
  readonly isOld: boolean
}

/** What a request came with of a cookie of ours. */
export function readTokenCookie(name: CookieName, visit: Visit): SentCookie {
  const { cookies } = visit.request
  const plain = cookies[name] ?? null
  if (!isSecure(visit)) return { token: plain, isOld: false }
  const token = cookies[`${HOST_PREFIX}${name}`] ?? null
  return token === null ? { token: plain, isOld: plain !== null } : { token, isOld: false }
}

/** How this answer sets and clears a cookie of ours; either takes the one under the old name away. */
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

/** Whether the browser reached us over https: as the request, a trusted proxy, or the operator says. */
function isSecure({ request, publicUrl }: Visit): boolean {
  return request.protocol === 'https' || publicUrl?.startsWith('https:') === true
}
