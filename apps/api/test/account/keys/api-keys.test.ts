import { procedures } from '@papermoon/contract'
import { getAcceptedScopes } from '@papermoon/contract/procedure'
import { afterEach, describe, expect, it } from 'vitest'
import { getBadInputRow } from '../../support/bad-input.ts'
import { errorsIn, type Listener, openSocket, shareTestServer } from '../../support/test-server.ts'

const FOREIGN = { origin: 'https://bots.example' }

const server = await shareTestServer()
const player = await server.player('botmaster')
const tokenId = await player.launch({ initialBuyAmount: '1' })
const port = await server.listen()
afterEach(() => server.db.deleteFrom('api_keys').execute())

interface Made {
  readonly id: number
  readonly key: string
}

async function makeKey(scopes: string[], owner = player): Promise<Made> {
  await owner.post('/api/account/confirm', { password: 'secret-1' })
  const answer = await owner.post('/api/keys', { name: 'bot', scopes })
  expect(answer.statusCode).toBe(201)
  return answer.json()
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const revoke = (id: number, owner = player) => owner.send({ method: 'DELETE', url: `/api/keys/${id}` })

async function askOver(listener: Listener, path: string): Promise<unknown> {
  listener.send({ id: 1, method: 'query', params: { path, input: { json: null } } })
  return await listener.next()
}

describe('an API key', () => {
  it('is shown once, then listed without its secret', async () => {
    const owner = await server.player('lister')
    const made = (await owner.post('/api/keys', { name: ' My  bot ', scopes: ['trade', 'read'] })).json()
    expect(made).toMatchObject({ name: 'My bot', scopes: ['read', 'trade'], lastUsedAt: null })
    expect(made.key).toMatch(/^pm_[\w-]{43}$/)
    const { key, ...listed } = made
    const list = await owner.get('/api/keys')
    expect(list.json()).toEqual([listed])
    expect(list.body).not.toContain(key.slice(3))
  })

  it('is stored as a hash only', async () => {
    const { key } = await makeKey(['read'])
    const rows = await server.db.selectFrom('api_keys').selectAll().execute()
    const hashes = rows.flatMap((row) => [row.key_hash.toString('base64url'), row.key_hash.toString('latin1')])
    expect(JSON.stringify([rows, hashes])).not.toContain(key.slice(3))
  })

  it('is rejected if a player has 10 already, also for concurrent calls', async () => {
    const owner = await server.player('collector')
    const make = () => owner.post('/api/keys', { name: 'bot', scopes: ['read'] })
    const answers = await Promise.all(Array.from({ length: 14 }, make))
    // On a busy machine, some of the concurrent calls time out while they wait for a lock, so create the missing keys
    // here.
    const made = answers.filter((answer) => answer.statusCode === 201).length
    for (let count = made; count < 10; count++) expect((await make()).statusCode).toBe(201)
    const refused = await make()
    expect([refused.statusCode, refused.body]).toEqual([
      422,
      'You already have 10 API keys. Please revoke one of them first.',
    ])
    expect((await owner.get('/api/keys')).json()).toHaveLength(10)
    const [{ id }] = (await owner.get('/api/keys')).json()
    await revoke(id, owner)
    expect((await make()).statusCode).toBe(201)
  })

  it('has a time of last use that is accurate to a minute', async () => {
    const { id, key } = await makeKey(['read'])
    const usedAt = async () =>
      (await player.get('/api/keys')).json().find((listed: { id: number }) => listed.id === id).lastUsedAt
    await server.visitor().get('/api/auth/user', bearer(key))
    const first = await usedAt()
    expect(first).toEqual(expect.any(String))
    server.passTime(30_000)
    await server.visitor().get('/api/auth/user', bearer(key))
    expect(await usedAt()).toBe(first)
    server.passTime(60_000)
    await server.visitor().get('/api/auth/user', bearer(key))
    expect(await usedAt()).not.toBe(first)
  })
})

describe('a bearer', () => {
  it('makes the server ignore cookies: sessions, login, logout and extension', async () => {
    const other = await server.player('cookie-holder')
    const { key } = await makeKey(['read'])
    expect((await other.get('/api/auth/user', bearer(key))).json()).toMatchObject({ username: 'botmaster' })
    expect((await other.get('/api/auth/user', bearer('pm_nothing'))).statusCode).toBe(401)
    expect((await other.raw('POST', '/api/auth/logout', '', bearer(key))).statusCode).toBe(403)
    server.passTime(7 * 24 * 3_600_000)
    expect((await other.get('/api/auth/user', bearer(key))).cookies).toEqual([])
    const headers = { ...bearer(key), cookie: other.cookie ?? '' }
    const socket = await openSocket(`ws://127.0.0.1:${port}/trpc`, headers)
    expect(await askOver(socket, 'auth.me')).toMatchObject({ result: { data: { json: { username: 'botmaster' } } } })
    socket.socket.close()
  })

  it.each(['', 'pm_', 'pm_x', `pm_${'a'.repeat(43)}`, 'a'.repeat(43), 'pm_\u00e4', 'x'.repeat(5_000)])(
    'that is not a valid key, %j, gets 401 everywhere',
    async (key) => {
      for (const url of ['/api/auth/user', '/api/tokens', '/trpc/site.settings']) {
        const answer = await player.get(url, { ...bearer(key), accept: 'application/json' })
        expect(answer.statusCode).toBe(401)
        expect(answer.body).toContain('API_KEY_INVALID')
        expect(answer.headers['www-authenticate']).toContain('Bearer')
      }
    },
  )

  it('with another scheme, such as a proxy’s, is ignored, and cookies work beside it', async () => {
    const answer = await player.get('/api/auth/user', { authorization: 'Basic cGFwZXI6bW9vbg==' })
    expect(answer.json()).toMatchObject({ username: 'botmaster' })
  })
})

describe('the scopes', () => {
  it('market allows public data and the player’s own trades and positions, but reveals neither email nor wallet', async () => {
    const wallet = 'Wa11etThatNobodyE1seHas'
    await server.db.updateTable('users').set({ wallet }).where('username', '=', 'botmaster').execute()
    const { key } = await makeKey(['market'])
    const program = server.visitor()
    const positions = ['/api/portfolio', '/api/portfolio/summary', '/api/portfolio/net-worth', '/api/dashboard']
    const open = ['/api/tokens', `/api/tokens/${tokenId}`, `/api/tokens/${tokenId}/position`, ...positions]
    for (const url of open) expect([url, (await program.get(url, bearer(key))).statusCode]).toEqual([url, 200])
    const closed = ['/api/auth/user', '/api/notices', '/api/account/email', '/api/account/events']
    const refused = await Promise.all(closed.map((url) => program.get(url, bearer(key))))
    expect(refused.map(({ statusCode }) => statusCode)).toEqual(closed.map(() => 403))
    const order = await program.post('/api/tokens/buy', { tokenId, solAmount: '1' }, bearer(key))
    expect(order.json().detail).toBe('This API key lacks the scope "trade".')
    const own = await server.db
      .selectFrom('users')
      .select(['email', 'wallet'])
      .where('username', '=', 'botmaster')
      .executeTakeFirstOrThrow()
    expect(own.wallet).toBe(wallet)
    for (const [path, procedure] of procedures) {
      if (procedure.type !== 'query' || !getAcceptedScopes(procedure).includes('market')) continue
      const input = encodeURIComponent(JSON.stringify({ json: getBadInputRow(path).valid }))
      const answer = await program.get(`/trpc/${path}?input=${input}`, bearer(key))
      const revealed = [own.email, own.wallet].filter((secret) => answer.body.includes(secret))
      expect([path, revealed]).toEqual([path, []])
    }
  })

  it('hide all data of the player that they do not include', async () => {
    const id = await player.id()
    await server.db.updateTable('users').set({ hides_follows: true }).where('id', '=', id).execute()
    const readFollowers = async (scope: string) => {
      const { key } = await makeKey([scope])
      return (await server.visitor().get(`/api/users/${id}/followers`, bearer(key))).json().followers
    }
    expect([await readFollowers('trade'), await readFollowers('read')]).toEqual([null, 0])
    await server.db.updateTable('users').set({ hides_follows: false }).where('id', '=', id).execute()
  })
})

describe('a revoked key', () => {
  it('stops working at once, and only its owner can revoke it', async () => {
    const { id, key } = await makeKey(['read'])
    const answer = await revoke(id, await server.player('meddler'))
    expect([answer.statusCode, answer.body]).toEqual([404, 'You have no such API key.'])
    expect((await server.visitor().get('/api/auth/user', bearer(key))).statusCode).toBe(200)
    expect((await revoke(id)).json()).toEqual({ ok: true })
    expect((await server.visitor().get('/api/auth/user', bearer(key))).statusCode).toBe(401)
    expect((await revoke(id)).statusCode).toBe(404)
  })
})

describe('a page of another site', () => {
  const preflight = (url: string, headers: string) =>
    server.visitor().send({
      method: 'OPTIONS',
      url,
      headers: {
        ...FOREIGN,
        'access-control-request-method': 'POST',
        'access-control-request-headers': headers,
      },
    })

  it('can call REST and tRPC with a key, and read responses and errors', async () => {
    for (const url of ['/api/tokens/buy', '/trpc/trading.buy']) {
      const leave = await preflight(url, 'authorization,content-type,idempotency-key')
      expect(leave.statusCode).toBe(204)
      expect(leave.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, POST, PUT, DELETE',
        'access-control-allow-headers': expect.stringContaining('authorization'),
      })
      expect(leave.headers['access-control-allow-credentials']).toBeUndefined()
    }
    const { key } = await makeKey(['trade'])
    const headers = { ...bearer(key), ...FOREIGN }
    const bought = await server.visitor().post('/api/tokens/buy', { tokenId, solAmount: '0.1' }, headers)
    const refused = await server.visitor().post('/api/tokens/buy', { tokenId, solAmount: '0' }, headers)
    const over = await server.visitor().post('/trpc/trading.buy', { json: { tokenId, solAmount: '0.1' } }, headers)
    expect([bought, refused, over].map((answer) => answer.statusCode)).toEqual([200, 400, 200])
    for (const answer of [bought, refused, over]) {
      expect(answer.headers['access-control-allow-origin']).toBe('*')
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
      expect(answer.headers['access-control-expose-headers']).toContain('RateLimit-Remaining')
    }
  })

  it('gets nothing without a key', async () => {
    expect((await preflight('/api/tokens/buy', 'content-type')).statusCode).toBe(405)
    expect((await preflight('/healthz', 'authorization')).headers['access-control-allow-origin']).toBeUndefined()
    const basic = { ...FOREIGN, authorization: 'Basic cGFwZXI6bW9vbg==' }
    expect((await player.post('/api/tokens/buy', { tokenId, solAmount: '1' }, basic)).statusCode).toBe(403)
  })
})

describe('the server', () => {
  it('logged no unexpected error', () => {
    expect(errorsIn(server)).toEqual([])
  })
})

describe('a key that expires', () => {
  const HOUR_MS = 3_600_000
  const inMs = (ms: number) => new Date(server.app.platform.clock.now().getTime() + ms).toISOString()
  it('works until it expires, then gets an error that says so, and is listed as expired', async () => {
    const owner = await server.player()
    const expiresAt = inMs(HOUR_MS)
    const made = (await owner.post('/api/keys', { name: 'bot', scopes: ['read', 'trade'], expiresAt })).json()
    expect(made).toMatchObject({ expiresAt, isExpired: false, networks: [] })
    const program = server.visitor()
    expect((await program.get('/api/auth/user', bearer(made.key))).statusCode).toBe(200)
    server.passTime(HOUR_MS - 120_000)
    expect((await program.get('/api/auth/user', bearer(made.key))).statusCode).toBe(200)
    server.passTime(120_001)
    for (const url of ['/api/auth/user', '/api/tokens', '/trpc/auth.me']) {
      const answer = await program.get(url, { ...bearer(made.key), accept: 'application/json' })
      expect(answer.statusCode).toBe(401)
      expect(answer.body).toContain('KEY_EXPIRED')
      expect(answer.body).toContain('This API key has expired. Please create a new one.')
      expect(answer.headers['www-authenticate']).toContain('Bearer')
    }
    const order = await program.post('/api/tokens/buy', { tokenId, solAmount: '1' }, bearer(made.key))
    expect(order.statusCode).toBe(401)
    expect((await owner.get('/api/keys')).json()).toMatchObject([{ id: made.id, expiresAt, isExpired: true }])
  })
})

describe('a key bound to networks', () => {
  const make = async (networks: string[]) => {
    const owner = await server.player()
    const answer = await owner.post('/api/keys', { name: 'bot', scopes: ['read', 'trade'], networks })
    expect(answer.statusCode).toBe(201)
    return answer.json()
  }
  const from = (remoteAddress: string, key: string, url = '/api/auth/user') =>
    server
      .visitor()
      .send({ method: 'GET', url, headers: { ...bearer(key), accept: 'application/json' }, remoteAddress })

  it('works only from these networks, in any notation of the address', async () => {
    const { key, networks } = await make(['10.1.2.3/8', '2001:db8::/32', '10.0.0.0/8'])
    expect(networks).toEqual(['10.0.0.0/8', '2001:db8::/32'])
    for (const ip of ['10.9.9.9', '::ffff:10.9.9.9', '2001:db8:1::1'])
      expect((await from(ip, key)).statusCode).toBe(200)
    for (const ip of ['11.9.9.9', '::ffff:11.9.9.9', '2001:db9::1', '127.0.0.1']) {
      for (const url of ['/api/auth/user', '/api/tokens', '/trpc/auth.me']) {
        const answer = await from(ip, key, url)
        expect([ip, answer.statusCode]).toEqual([ip, 403])
        expect(answer.body).toContain('KEY_NETWORK_NOT_ALLOWED')
        expect(answer.body).toContain('This API key does not work from your network.')
      }
    }
  })

  it('is also refused over a socket from another network', async () => {
    const { key } = await make(['10.0.0.0/8'])
    const socket = await openSocket(`ws://127.0.0.1:${port}/trpc`, bearer(key))
    expect(await askOver(socket, 'auth.me')).toMatchObject({
      error: { json: { data: { reason: 'KEY_NETWORK_NOT_ALLOWED' } } },
    })
    socket.socket.close()
  })
})
