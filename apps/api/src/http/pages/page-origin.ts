import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { isAllowedHost } from '../security/allowed-hosts.ts'

/** Matches a host name or IP address with an optional port. Nothing else may get into a page. */
const HOST = /^(?:[a-z\d](?:[a-z\d.-]{0,252}[a-z\d])?|\[[\da-f:]{2,45}\])(?::\d{1,5})?$/i

/**
 * Returns the origin for a page's absolute URLs: PUBLIC_URL, otherwise from the Host header. The client chooses that
 * header, so pages are cached by origin, and mails never use it. Null if the header is no valid host or not in
 * ALLOWED_HOSTS.
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
