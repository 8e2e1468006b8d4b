import { BlockList } from 'node:net'
import { formatNetwork, isInNetworks, parseAddress, parseNetwork } from '@papermoon/contract/networks'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const formatText = (text: string) => {
  const network = parseNetwork(text)
  return network === null ? null : formatNetwork(network)
}
const isIn = (ip: string, ...texts: string[]) =>
  isInNetworks(
    ip,
    texts.map((text) => parseNetwork(text) ?? expect.unreachable(text)),
  )

describe('a network', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7/32'],
    ['203.0.113.7/24', '203.0.113.0/24'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8::1', '2001:db8::1/128'],
    ['2001:db8:1:2:3::/48', '2001:db8:1::/48'],
    ['::/0', '::/0'],
    ['::ffff:10.1.2.3', '10.1.2.3/32'],
    ['::ffff:10.1.2.3/104', '10.0.0.0/8'],
    ['::ffff:0a01:0203/128', '10.1.2.3/32'],
    ['::10.1.2.3', '::a01:203/128'],
    ['::0.0.0.0/0', '::/0'],
  ])('%s is %s', (text, network) => {
    expect(formatText(text)).toBe(network)
  })

  it.each([
    ...['', ' ', 'localhost', '10', '10/8', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/08', '10.0.0.0/8/8', '10.0.0.0/'],
    ...['010.0.0.1', '0x7f.0.0.1', '127.1', '2001:db8::/129', '::ffff:10.0.0.0/95', 'fe80::1%eth0', '10.0.0.0 /8'],
    ...['10.0.0.0/٨', '٣.0.0.1'],
  ])('%j is none', (text) => {
    expect(parseNetwork(text)).toBeNull()
  })

  it('contains its own addresses in any notation', () => {
    expect(isIn('10.1.2.3', '10.0.0.0/8')).toBe(true)
    expect(isIn('::ffff:10.1.2.3', '10.0.0.0/8')).toBe(true)
    expect(isIn('::ffff:a01:203', '10.0.0.0/8')).toBe(true)
    expect(isIn('10.1.2.3', '::ffff:10.0.0.0/104')).toBe(true)
    expect(isIn('11.1.2.3', '10.0.0.0/8')).toBe(false)
    expect(isIn('2001:db8:1::9', '10.0.0.0/8', '2001:db8:1::/48')).toBe(true)
    expect(isIn('2001:db8:2::9', '10.0.0.0/8', '2001:db8:1::/48')).toBe(false)
    expect(isIn('fe80::1%eth0', 'fe80::/10')).toBe(true)
  })

  it('of one family contains no address of the other', () => {
    expect(isIn('10.1.2.3', '::/0')).toBe(false)
    expect(isIn('2001:db8::1', '0.0.0.0/0')).toBe(false)
  })

  it('contains no client without an address', () => {
    for (const ip of ['', 'unix', 'unknown', '10.0.0.1, 10.0.0.2']) expect(isIn(ip, '0.0.0.0/0', '::/0')).toBe(false)
  })

  it('contains the same addresses as Node’s BlockList', () => {
    const near = fc.tuple(fc.nat(255), fc.nat(3), fc.nat(255), fc.nat(255)).map((bytes) => bytes.join('.'))
    fc.assert(
      fc.property(near, near, fc.nat(32), (ip, first, prefix) => {
        const list = new BlockList()
        list.addSubnet(first, prefix)
        expect(isIn(ip, `${first}/${prefix}`)).toBe(list.check(ip))
      }),
    )
    fc.assert(
      fc.property(fc.ipV6(), fc.ipV6(), fc.nat(128), (ip, first, prefix) => {
        // BlockList does not treat an IPv4-mapped IPv6 address as IPv4, but `isIn` does, so skip such addresses.
        fc.pre([ip, first].every((text) => parseAddress(text)?.kind() === 'ipv6'))
        const list = new BlockList()
        list.addSubnet(first, prefix, 'ipv6')
        expect(isIn(ip, `${first}/${prefix}`)).toBe(list.check(ip, 'ipv6'))
      }),
    )
  })
})
