import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { parseAddress } from './networks.ts'

/**
 * Key by which attempts with proof of work are limited: the IPv4 address, or the /48 network of an IPv6 address. A site
 * is assigned a /48, and would otherwise have one set of attempts for each of its 65,536 /64 networks.
 */
export function toNetworkKey(ip: string): string {
  return toKey(ip, 3)
}

/** Key by which calls are limited: the IPv4 address, or the /64 network of an IPv6 address, which one host has to itself. */
export function toAddressKey(ip: string): string {
  return toKey(ip, 4)
}

function toKey(ip: string, groups: number): string {
  if (isIPv4(ip)) return ip
  const address = parseAddress(ip)
  if (!(address instanceof ipaddr.IPv6)) return address?.toString() ?? ip
  const prefix = address.parts.slice(0, groups).map((group) => group.toString(16))
  return `${prefix.join(':')}::/${groups * 16}`
}
