import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** A network of IPv4 or IPv6 addresses: its first address, and how many bits its addresses share. */
export type Network = readonly [Address, number]

/**
 * A network from CIDR notation, or from a single address; null for a text that is neither. Only the notation that everybody reads
 * alike counts (`010.1` is octal to some). IPv4 within IPv6 is IPv4: a socket may name its client either way.
 */
export function parseNetwork(text: string): Network | null {
  const [host = '', length, ...more] = text.split('/')
  const address = host.includes('%') ? null : parseAddress(host)
  if (address === null || more.length > 0) return null
  const bits = address.toByteArray().length * 8
  if (length === undefined) return [address, bits]
  if (!/^(0|[1-9]\d{0,2})$/.test(length)) return null
  // ::ffff:10.0.0.0/104 is 10.0.0.0/8.
  const prefix = Number(length) - (isIP(host) === 6 && bits === 32 ? 96 : 0)
  if (prefix < 0 || prefix > bits) return null
  const family = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6
  return [family.networkAddressFromCIDR(`${address}/${prefix}`), prefix]
}

/** A network as it is stored and shown. */
export function formatNetwork([address, prefix]: Network): string {
  return `${address}/${prefix}`
}

/** Whether a client's address is in one of these networks. */
export function isInNetworks(ip: string, networks: readonly Network[]): boolean {
  const address = parseAddress(ip)
  return networks.some(([first, prefix]) => address?.kind() === first.kind() && address.match(first, prefix))
}

function parseAddress(text: string): Address | null {
  // The zone of a link-local address names an interface of this machine, not a network.
  return isIP(text) === 0 ? null : ipaddr.process(text.split('%')[0] ?? '')
}
