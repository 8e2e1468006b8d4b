import fp from 'fastify-plugin'
import type { App } from '../../context.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { countRead } from '../calls/call-context.ts'

const PREFIX = '/.well-known'
/** Number of days after which security.txt expires. RFC 9116 recommends less than a year. */
const EXPIRES_AFTER_DAYS = 180
const CACHE = 'public, max-age=3600'

/** Serves `/.well-known`: security.txt (RFC 9116), and change-password for password managers. */
export const wellKnown = fp<{ app: App }>(
  async (fastify, { app }) => {
    const { securityContact, publicUrl } = app.platform.config
    const onRequest = countRead(app)
    fastify.get(`${PREFIX}/change-password`, { onRequest }, (_request, reply) =>
      reply.redirect('/settings#password', 302),
    )
    if (securityContact === null) return
    fastify.get(`${PREFIX}/security.txt`, { onRequest }, (_request, reply) => {
      const lines = [
        `Contact: ${securityContact}`,
        `Expires: ${expiry(app.platform.clock.now()).toISOString()}`,
        'Preferred-Languages: en',
        ...(publicUrl === null ? [] : [`Canonical: ${publicUrl}${PREFIX}/security.txt`]),
      ]
      reply.header('cache-control', CACHE).type('text/plain; charset=utf-8')
      return reply.send(`${lines.join('\n')}\n`)
    })
  },
  { name: 'well-known', dependencies: ['security'] },
)

/** Rounds the expiry to midnight, so that the document changes only once a day. */
function expiry(now: Date): Date {
  return new Date((Math.floor(now.getTime() / DAY_MS) + EXPIRES_AFTER_DAYS) * DAY_MS)
}
