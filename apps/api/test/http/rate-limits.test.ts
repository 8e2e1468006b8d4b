import { afterEach, describe, expect, it } from 'vitest'
import { toAddressKey } from '../../src/security/client-address.ts'
import { createTestServer, openSocket, type TestServer } from '../support/test-server.ts'

let server: TestServer | undefined
afterEach(() => server?.close())

async function limited(env: Record<string, string> = {}): Promise<TestServer> {
  server = await createTestServer({ hasJobs: false, env: { RATE_LIMIT: 'on', ...env } })
  return server
}

const wrong = (email: string) => ({ email, password: 'wrong-1' })

async function passwordWork(of: TestServer): Promise<number> {
  const metric = await of.app.platform.metrics.getSingleMetric('papermoon_password_hashes_total')?.get()
  return metric?.values[0]?.value ?? 0
}

describe('limits', () => {
  it('stop logins of one address over all transports together, with a time to come back', async () => {
    const { visitor, ...rest } = await limited()
    for (let count = 0; count < 15; count++) {
      await visitor().post('/api/auth/login', wrong(`a-${count}@x.org`))
      await visitor().mutate('auth.login', wrong(`b-${count}@x.org`))
    }
    const work = await passwordWork(rest as TestServer)
    const refused = await visitor().post('/api/auth/login', wrong('c@x.org'))
    expect(refused.statusCode).toBe(429)
    expect(refused.body).toMatch(
      /^Too many requests\. Please try again in \d+ seconds, or at once with a proof of work\.$/,
    )
    const seconds = Number(refused.headers['retry-after'])
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(300)
    expect(refused.headers).toMatchObject({ 'ratelimit-limit': '30', 'ratelimit-remaining': '0' })
    const overTrpc = await visitor().mutate('auth.login', wrong('c@x.org'))
    expect(overTrpc.statusCode).toBe(429)
    expect(overTrpc.headers['retry-after']).toBeDefined()
    expect(overTrpc.json().error.json.data).toMatchObject({ reason: 'PROOF_OF_WORK_NEEDED' })
    expect([work, await passwordWork(rest as TestServer)]).toEqual([30, 30])
  })

  it('stop guesses of one account’s password from many addresses', async () => {
    const { visitor } = await limited({ TRUST_PROXY: 'loopback' })
    const statuses: number[] = []
    for (let count = 0; count < 31; count++) {
      const headers = { 'x-forwarded-for': `203.0.113.${count}` }
      // E-mails in another case are the same account.
      const email = count % 2 === 0 ? 'victim@x.org' : 'VICTIM@x.org'
      statuses.push((await visitor().post('/api/auth/login', wrong(email), headers)).statusCode)
    }
    expect(statuses).toEqual([...new Array(30).fill(401), 429])
  })

  it('use a forwarded address only from a trusted proxy', async () => {
    const { visitor } = await limited()
    const statuses: number[] = []
    for (let count = 0; count < 31; count++) {
      const headers = { 'x-forwarded-for': `203.0.113.${count}` }
      statuses.push((await visitor().post('/api/auth/login', wrong(`a-${count}@x.org`), headers)).statusCode)
    }
    expect(statuses.at(-1)).toBe(429)
  })

  it('count the calls of a batch, not its requests', async () => {
    const { visitor } = await limited()
    const paths = new Array<string>(20).fill('site.settings').join(',')
    const answers = []
    for (let count = 0; count < 61; count++) answers.push(await visitor().get(`/trpc/${paths}?batch=1`))
    expect(answers.at(0)?.headers['ratelimit-remaining']).toBe('1180')
    expect(answers.at(59)?.statusCode).toBe(200)
    expect(answers.at(60)?.statusCode).toBe(429)
  })

  it('count the calls of a socket too', async () => {
    const { visitor, listen } = await limited()
    const listener = await openSocket(`ws://127.0.0.1:${await listen()}/trpc`)
    for (let id = 0; id < 3; id++) {
      listener.send({ id, method: 'query', params: { path: 'site.settings', input: { json: null } } })
      await listener.next()
    }
    expect((await visitor().get('/api/site')).headers['ratelimit-remaining']).toBe('1196')
  })

  it('count reads outside of procedures', async () => {
    const { visitor, app } = await limited()
    const left: unknown[] = []
    for (const url of ['/api/docs', '/api/openapi.json', '/readyz', '/metrics', '/api/site']) {
      left.push((await visitor().get(url)).headers['ratelimit-remaining'])
    }
    expect(left).toEqual(['1199', '1198', '1197', '1196', '1195'])
    await app.accounts.limits.spend({ ip: '127.0.0.1', header: () => {} }, 'read', 1_195)
    for (const url of ['/api/docs', '/api/openapi.json', '/readyz', '/metrics']) {
      expect((await visitor().get(url)).body).toMatch(/^Too many requests\./)
    }
  })

  it('allow a bot 20 trades a second', async () => {
    const { player } = await limited()
    const bot = await player('bot')
    const tokenId = await bot.launch()
    const statuses = new Set<number>()
    for (let count = 0; count < 200; count++) {
      statuses.add((await bot.post('/api/tokens/buy', { tokenId, solAmount: '0.001' })).statusCode)
    }
    expect([...statuses]).toEqual([200])
  })

  it('bound the launches of a player', async () => {
    const { player } = await limited()
    const launcher = await player('launcher')
    const statuses: number[] = []
    for (let count = 0; count < 21; count++) {
      statuses.push((await launcher.post('/api/tokens/launch', { name: 'Moon', symbol: 'M' })).statusCode)
    }
    expect(statuses).toEqual([...new Array(20).fill(201), 429])
  })
})

describe('free tries of an IPv6 site', () => {
  it('are four times those of an address in a /56, and sixteen times in a /48', async () => {
    const { app } = await limited()
    const countFree = async (from: number, to: number) => {
      let free = 0
      for (let network = from; network < to; network++) {
        const caller = { ip: `2001:db8:1:${network.toString(16)}::1`, header: () => {} }
        free += await app.accounts.limits.spend(caller, 'login').then(
          () => 1,
          () => 0,
        )
      }
      return free
    }
    expect(await countFree(0, 0x100)).toBe(4 * 30)
    expect(await countFree(0x100, 0x800)).toBe(12 * 30)
    await expect(app.accounts.limits.spend({ ip: '2001:db8:2::1', header: () => {} }, 'login')).resolves.toBeUndefined()
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
