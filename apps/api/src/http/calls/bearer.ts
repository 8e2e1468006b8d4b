import type { FastifyRequest } from 'fastify'

/**
 * The API key that a request brings as `Authorization: Bearer`, or null. Beside one, cookies count for nothing, so a
 * page of another site that sends a key acts for nobody but the key's owner. Other schemes are a proxy's business.
 */
export function parseBearer(request: FastifyRequest): string | null {
  const match = /^bearer(?:\s+(.*))?$/i.exec(request.headers.authorization ?? '')
  return match === null ? null : (match[1] ?? '').trim()
}
