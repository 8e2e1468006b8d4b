import type { FastifyRequest } from 'fastify'

/** A name or an address, and a port: nothing else gets into a page. */
const HOST = /^(?:[a-z\d](?:[a-z\d.-]{0,252}[a-z\d])?|\[[\da-f:]{2,45}\])(?::\d{1,5})?$/i

/**
 * The origin that a page's absolute addresses begin with: PUBLIC_URL. Without it the one that was asked, which is only
 * what the client says, and so never gets onto a page for somebody else: pages are kept by origin, and no mail has it.
 * Null where that is no host.
 */
export function pageOrigin(request: FastifyRequest, publicUrl: string | null): string | null {
  if (publicUrl !== null) return publicUrl
  const { host } = request.headers
  return host !== undefined && HOST.test(host) ? `${request.protocol}://${host.toLowerCase()}` : null
}
