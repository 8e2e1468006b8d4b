import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { isAllowedHost } from '../security/allowed-hosts.ts'

/** A host name or address, with an optional port; nothing else may get into a page. */
const HOST = /^(?:[a-z\d](?:[a-z\d.-]{0,252}[a-z\d])?|\[[\da-f:]{2,45}\])(?::\d{1,5})?$/i

/**
 * The origin of a page's absolute addresses: PUBLIC_URL, else the Host header. The client chooses that header, so pages
 * are cached by origin and mails never use it. Null if it is no valid host, or none of ALLOWED_HOSTS.
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
