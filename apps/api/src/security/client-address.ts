import { isIP, isIPv4 } from 'node:net'
import { parseAddress } from '@papermoon/contract/networks'
import ipaddr from 'ipaddr.js'

/**
 * Response header of `/healthz` with the caller's IP address and host, as the server sees them. `papermoon doctor` uses
 * it to find out what a proxy changes.
 */
export const SEEN_AS_HEADER = 'papermoon-seen-as'

/**
 * Returns the key for limits on attempts with proof of work: the IPv4 address, or the /48 network of an IPv6 address. A
 * site has a whole /48 network, and could otherwise make separate attempts from each of its 65,536 /64 networks.
 */
export function toNetworkKey(ip: string): string {
  return toKey(ip, 48)
}

/**
 * Returns the key for limits on calls: the IPv4 address, or the /64 network of an IPv6 address, which belongs to one
 * host.
 */
export function toAddressKey(ip: string): string {
  return toKey(ip, 64)
}

/**
 * Returns `toAddressKey`. For an IPv6 address, also returns the keys for its /56 (a household's network) and its /48 (a
 * site's network).
 */
export function toAddressKeys(ip: string): readonly string[] {
  const isIPv6 = !isIPv4(ip) && parseAddress(ip) instanceof ipaddr.IPv6
  return [toAddressKey(ip), ...(isIPv6 ? [toKey(ip, 56), toKey(ip, 48)] : [])]
}

function toKey(ip: string, bits: 48 | 56 | 64): string {
  if (isIPv4(ip)) return ip
  const address = parseAddress(ip)
  if (!(address instanceof ipaddr.IPv6)) return address?.toString() ?? ip
  const [a = 0, b = 0, c = 0, d = 0] = address.parts
  const groups = bits === 48 ? [a, b, c] : [a, b, c, bits === 56 ? d & 0xff00 : d]
  return `${groups.map((group) => group.toString(16)).join(':')}::/${bits}`
}

/** Returns whether only this machine can reach a server that listens on this host. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
