import { isIP } from 'node:net'
import type { RelyingParty } from '../../../context.ts'

/**
 * The relying party at an address; null where browsers do not support passkeys, which need a domain name over HTTPS or
 * localhost.
 */
export function toRelyingParty(address: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(address)
  const isLocalhost = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (protocol !== 'https:' && !isLocalhost) return null
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return null
  return { id: hostname, origin }
}
