import { describe, expect, it } from 'vitest'
import { toAddressKey } from '../../src/security/client-address.ts'
import { createTestServer, shareTestServer } from '../support/test-server.ts'

const server = await shareTestServer({ hasJobs: false, env: { RATE_LIMIT: 'on', TRUST_PROXY: 'loopback' } })
const { visitor } = server

/** Returns a header with an IP address that no other test uses. */
let addresses = 0
const from = () => ({ 'x-forwarded-for': `203.0.113.${++addresses}` })
describe('limits', () => {
  it('use a forwarded address only from a trusted proxy', async () => {
    const direct = await createTestServer({ hasJobs: false, env: { RATE_LIMIT: 'on' } })
    const left = async () => (await direct.visitor().get('/api/site', from())).headers['ratelimit-remaining']
    expect([await left(), await left()]).toEqual(['1199', '1198'])
    await direct.close()
  })

  it('count the calls of a batch, not its requests', async () => {
    const headers = from()
    const paths = new Array<string>(20).fill('site.settings').join(',')
    const call = () => visitor().get(`/trpc/${paths}?batch=1`, headers)
    expect((await call()).headers['ratelimit-remaining']).toBe('1180')
    await server.app.accounts.limits.spend({ ip: headers['x-forwarded-for'], header: () => {} }, 'read', 1_160)
    expect([(await call()).statusCode, (await call()).statusCode]).toEqual([200, 429])
  })

  it('count reads outside of procedures', async () => {
    const headers = from()
    const left: unknown[] = []
    for (const url of ['/api/docs', '/api/openapi.json', '/readyz', '/metrics', '/trpc/tokens.nothing', '/api/site']) {
      left.push((await visitor().get(url, headers)).headers['ratelimit-remaining'])
    }
    expect(left).toEqual(['1199', '1198', '1197', '1196', '1195', '1194'])
    await server.app.accounts.limits.spend({ ip: headers['x-forwarded-for'], header: () => {} }, 'read', 1_194)
    for (const url of ['/api/docs', '/api/openapi.json', '/readyz', '/metrics']) {
      expect((await visitor().get(url, headers)).body).toMatch(/^Too many requests\./)
    }
  })

  it('allow a bot 20 trades a second', async () => {
    const bot = await server.player('bot')
    const tokenId = await bot.launch()
    const { limits } = server.app.accounts
    const caller = { ip: '127.0.0.1', header: () => {} }
    const userId = await bot.id()
    for (let count = 1; count < 200; count++) {
      await limits.spend(caller, 'write')
      await limits.spendAccount(caller, 'write', userId)
    }
    await bot.buy(tokenId, '0.001')
  })

  it('bound the writes of a player from all addresses together, without a line in the security log', async () => {
    const player = await server.player()
    const id = await player.id()
    const elsewhere = { ip: '198.51.100.7', header: () => {} }
    for (let count = 0; count < 600; count++) await server.app.accounts.limits.spendAccount(elsewhere, 'write', id)
    const logged = server.logs.length
    expect((await player.post('/api/tokens/buy', { tokenId: 1, solAmount: '1' })).statusCode).toBe(429)
    expect(server.logs.slice(logged).filter((line) => Object(line).security === true)).toEqual([])
  })
})

describe('the launches of an address', () => {
  it('are limited for all its players together, and the headers show the tighter limit', async () => {
    const headers = from()
    const player = await server.player()
    const launch = () => player.post('/api/tokens/launch', { name: 'Moon', symbol: 'M' }, headers)
    await server.app.accounts.limits.spend({ ip: headers['x-forwarded-for'], header: () => {} }, 'launch', 59)
    const last = await launch()
    expect(last.statusCode).toBe(201)
    expect(last.headers).toMatchObject({ 'ratelimit-limit': '60', 'ratelimit-remaining': '0' })
    expect((await launch()).statusCode).toBe(429)
  })
})

describe('free tries in an IPv6 site', () => {
  it('are four times those of an address for a /56, and sixteen times for a /48', async () => {
    const { app } = server
    const countFree = async (from: number, to: number) => {
      let free = 0
      for (let network = from; network < to; network++) {
        const caller = { ip: `2001:db8:1:${network.toString(16)}::1`, header: () => {} }
        free += await app.accounts.limits.spend(caller, 'attempt').then(
          () => 1,
          () => 0,
        )
      }
      return free
    }
    expect(await countFree(0, 0x100)).toBe(4 * 30)
    expect(await countFree(0x100, 0x800)).toBe(12 * 30)
    await expect(
      app.accounts.limits.spend({ ip: '2001:db8:2::1', header: () => {} }, 'attempt'),
    ).resolves.toBeUndefined()
  })
})

describe('addressKey', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('counts %s as %s', (ip, key) => {
    expect(toAddressKey(ip)).toBe(key)
  })
})
