import type { FastifyRequest } from 'fastify'

/**
 * The API key of `Authorization: Bearer`, or null. Cookies are ignored beside a key, so a page of another site that
 * sends a key acts for the key's owner only. Other schemes belong to proxies and are ignored.
 */
export function parseBearer(request: FastifyRequest): string | null {
  const match = /^bearer(?:\s+(.*))?$/i.exec(request.headers.authorization ?? '')
  return match === null ? null : (match[1] ?? '').trim()
}
