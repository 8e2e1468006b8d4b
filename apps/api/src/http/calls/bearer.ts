import type { FastifyRequest } from 'fastify'

/**
 * Returns the API key from the header `Authorization: Bearer`, or null. If a request has a key, its cookies are
 * ignored. A page from another site that sends a key therefore acts only for the key's owner. Other schemes belong to
 * proxies and are ignored.
 */
export function parseBearer(request: FastifyRequest): string | null {
  const match = /^bearer(?:\s+(.*))?$/i.exec(request.headers.authorization ?? '')
  return match === null ? null : (match[1] ?? '').trim()
}
