import fp from 'fastify-plugin'
import type { App } from '../../context.ts'
import { countRead } from '../calls/count-read.ts'

const PREFIX = '/.well-known'
const DAY_MS = 24 * 3_600_000
/** RFC 9116 wants less than a year. The date is the server's own: it is alive when it says so. */
const EXPIRES_AFTER_DAYS = 180
const CACHE = 'public, max-age=3600'

/** `/.well-known`: where weaknesses are reported (RFC 9116), and where password managers send people to change one. */
export const wellKnown = fp<{ app: App }>(
  async (fastify, { app }) => {
    const { securityContact, publicUrl } = app.config
    const onRequest = countRead(app)
    fastify.get(`${PREFIX}/change-password`, { onRequest }, (_request, reply) =>
      reply.redirect('/settings#password', 302),
    )
    if (securityContact === null) return
    fastify.get(`${PREFIX}/security.txt`, { onRequest }, (_request, reply) => {
      const lines = [
        `Contact: ${securityContact}`,
        `Expires: ${expiry(app.clock.now()).toISOString()}`,
        'Preferred-Languages: en',
        ...(publicUrl === null ? [] : [`Canonical: ${publicUrl}${PREFIX}/security.txt`]),
      ]
      reply.header('cache-control', CACHE).type('text/plain; charset=utf-8')
      return reply.send(`${lines.join('\n')}\n`)
    })
  },
  { name: 'well-known', dependencies: ['security'] },
)

/** At midnight, so that the document stays the same for a day. */
function expiry(now: Date): Date {
  return new Date((Math.floor(now.getTime() / DAY_MS) + EXPIRES_AFTER_DAYS) * DAY_MS)
}
