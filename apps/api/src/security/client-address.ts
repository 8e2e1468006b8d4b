/**
 * Who counts as one network where tries with work are bounded: an IPv4 address, or the /48 of an IPv6 address. A site is
 * given as much, and with its 65,536 networks it would otherwise have as many tries.
 */
export function toNetworkKey(ip: string): string {
  const address = toAddressKey(ip)
  return address.endsWith('::/64') ? address.replace(/:[^:]+::\/64$/, '::/48') : address
}

/**
 * What counts as one client: an IPv4 address, or the /64 network of an IPv6 address, since a home or a server
 * has a whole /64 to itself.
 */
export function toAddressKey(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped?.[1] !== undefined) return mapped[1]
  if (!ip.includes(':')) return ip
  const [head = '', tail] = (ip.split('%')[0] ?? '').toLowerCase().split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  const groups = [...before, ...new Array<string>(zeros).fill('0'), ...after].slice(0, 4)
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`
}
