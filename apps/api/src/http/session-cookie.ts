import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SessionCookie } from '../context.ts'

export const SESSION_COOKIE = 'papermoon_session'

/** The cookie lives as long as the session does: both are prolonged together. */
const MAX_AGE_S = 30 * 24 * 3_600

/** How this answer sets and clears the session cookie. */
export function sessionCookieOf(request: FastifyRequest, reply: FastifyReply, publicUrl: string | null): SessionCookie {
  const secure = request.protocol === 'https' || publicUrl?.startsWith('https:') === true
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const
  return {
    set: (token) => void reply.setCookie(SESSION_COOKIE, token, { ...attributes, maxAge: MAX_AGE_S }),
    clear: () => void reply.clearCookie(SESSION_COOKIE, attributes),
  }
}
