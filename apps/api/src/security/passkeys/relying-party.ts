import { isIP } from 'node:net'

/** Whom a passkey is made for: a domain, and the one origin there that may use it. */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
}

/**
 * The relying party at an address, or null where browsers know no passkeys: they take domain names over https, and
 * localhost.
 */
export function toRelyingParty(address: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(address)
  const isLocalhost = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (protocol !== 'https:' && !isLocalhost) return null
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return null
  return { id: hostname, origin }
}
