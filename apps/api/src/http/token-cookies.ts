import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TokenCookie } from '../context.ts'

export const SESSION_COOKIE = 'papermoon_session'
export const RESET_COOKIE = 'papermoon_reset'
export const KNOWN_COOKIE = 'papermoon_known'

const DAY_S = 24 * 3_600

/**
 * The session's cookie lives as long as the session does: both are prolonged together. A reset code is good for 15
 * minutes. That a browser is known outlives many sessions.
 */
const maxAgesS = { [SESSION_COOKIE]: 30 * DAY_S, [RESET_COOKIE]: 15 * 60, [KNOWN_COOKIE]: 365 * DAY_S } as const

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly publicUrl: string | null
}

/** How this answer sets and clears a cookie of ours. */
export function tokenCookie(name: keyof typeof maxAgesS, { request, reply, publicUrl }: Exchange): TokenCookie {
  const secure = request.protocol === 'https' || publicUrl?.startsWith('https:') === true
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const
  return {
    set: (token, maxAgeS = maxAgesS[name]) => void reply.setCookie(name, token, { ...attributes, maxAge: maxAgeS }),
    clear: () => void reply.clearCookie(name, attributes),
  }
}
