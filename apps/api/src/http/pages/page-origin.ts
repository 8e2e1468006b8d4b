import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { isAllowedHost } from '../security/allowed-hosts.ts'

/** A name or an address, and a port: nothing else gets into a page. */
const HOST = /^(?:[a-z\d](?:[a-z\d.-]{0,252}[a-z\d])?|\[[\da-f:]{2,45}\])(?::\d{1,5})?$/i

/**
 * The origin that a page's absolute addresses begin with: PUBLIC_URL. Without it the Host that was asked for, which is
 * only what the client says: pages are cached by origin, so it never gets onto a page for somebody else, and no mail
 * has it. Null where that is no host, or none that ALLOWED_HOSTS names.
 */
export function pageOrigin(
  request: FastifyRequest,
  { publicUrl, allowedHosts }: Pick<Config, 'publicUrl' | 'allowedHosts'>,
): string | null {
  if (publicUrl !== null) return publicUrl
  const { host } = request.headers
  if (host === undefined || !HOST.test(host) || !isAllowedHost(host, allowedHosts)) return null
  return `${request.protocol}://${host.toLowerCase()}`
}
