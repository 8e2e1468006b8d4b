import { isIP } from 'node:net'

import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** An IPv4 or IPv6 network: its first address and its prefix length in bits. */
export type Network = readonly [Address, number]

/**
 * Parses CIDR notation or a single IP address, or returns null for other text. Notation such as `010.1` is rejected,
 * because some parsers read it as octal. IPv4-mapped IPv6 addresses become IPv4, because a socket can report either
 * form.
 */
export function parseNetwork(text: string): Network | null {
  const [host = '', length, ...more] = text.split('/')
  const address = host.includes('%') ? null : parseAddress(host)
  if (address === null || more.length > 0) return null
  const bits = address.toByteArray().length * 8
  if (length === undefined) return [address, bits]
  if (!/^(0|[1-9]\d{0,2})$/.test(length)) return null
  // An IPv4-mapped network has a longer prefix: ::ffff:10.0.0.0/104 is 10.0.0.0/8.
  const prefix = Number(length) - (isIP(host) === 6 && bits === 32 ? 96 : 0)
  if (prefix < 0 || prefix > bits) return null
  const family = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6
  return [family.networkAddressFromCIDR(`${address}/${prefix}`), prefix]
}

/** Formats a network in CIDR notation, as it is stored and shown. */
export function formatNetwork([address, prefix]: Network): string {
  return `${address}/${prefix}`
}

/** Returns whether a client's IP address is in one of these networks. */
export function isInNetworks(ip: string, networks: readonly Network[]): boolean {
  const address = parseAddress(ip)
  return networks.some(([first, prefix]) => address?.kind() === first.kind() && address.match(first, prefix))
}

/** Parses an IP address, or returns null for other text. An IPv4-mapped address becomes IPv4. */
export function parseAddress(text: string): Address | null {
  if (isIP(text) === 0) return null
  // Remove the zone of a link-local address (after `%`). The zone names a network interface.
  const [address = ''] = text.split('%')
  const compatible = /^::(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1]
  if (compatible === undefined) return ipaddr.process(address)
  // ipaddr.js reads `::1.2.3.4` as the IPv4-mapped `::ffff:1.2.3.4`, but they are different addresses (RFC 4291, 2.5.5).
  return new ipaddr.IPv6([...Array<number>(12).fill(0), ...ipaddr.IPv4.parse(compatible).toByteArray()])
}
