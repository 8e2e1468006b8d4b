import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { procedures } from '@papermoon/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { restRoutes } from '../../src/http/rest/routes.ts'
import { badInputs } from '../support/bad-input.ts'
import { createTestServer, openSocket, registration, type Visitor } from '../support/test-server.ts'

const WALLET = 'WalletOfTheWinner111111111'
const EVIL = { origin: 'https://evil.example' }
/** A text that would break out of an unescaped page, script, replacement string or header. */
const HOSTILE_NAME = `</script><img src=x>$&$\`$1"'{7}`

const heard: string[] = []
const webRoot = await mkdtemp(join(tmpdir(), 'papermoon-walk-'))
await writeFile(join(webRoot, 'index.html'), '<!doctype html><html><head><title>Papermoon</title></head></html>')
const server = await createTestServer({ webRoot })
const port = await server.listen()
const socket = await openSocket(`ws://127.0.0.1:${port}/ws`)
socket.socket.on('message', (data) => heard.push(String(data)))
const winner = server.visitor()
await winner.post('/api/auth/register', { ...registration('winner'), wallet: WALLET })
const tokenId = await winner.launch({ name: HOSTILE_NAME, symbol: '$&', initialBuyAmount: '1' })
const loser = server.visitor()
await loser.post('/api/auth/register', { ...registration('loser'), username: '<b>$&$1</b>' })
await loser.post('/api/tokens/buy', { tokenId, solAmount: '20' })
const { amount } = (await winner.get(`/api/tokens/${tokenId}/position`)).json()
await winner.post('/api/tokens/sell', { tokenId, tokenAmount: amount })
await winner.post('/api/keys', { name: 'bot', scopes: ['read'] })
afterAll(async () => {
  socket.socket.close()
  await server.close()
  await rm(webRoot, { recursive: true, force: true })
})

const restUrl = (path: string) => path.replaceAll(/\{\w+\}/g, String(tokenId))

describe('a write with a cookie from a page of another site', () => {
  it.each(['auth.logout', 'auth.login', 'trading.buy', 'keys.revoke', 'uploads.setProfilePicture'])(
    'is rejected by every transport: %s',
    async (path) => {
      const { cookie } = winner
      const input = JSON.stringify({ json: badInputs[path]?.valid })
      const json = { 'content-type': 'application/json' }
      for (const origin of [EVIL.origin, 'null']) {
        const answers = [await winner.raw('POST', `/trpc/${path}`, input, { ...json, origin })]
        for (const route of restRoutes.filter(({ procedure }) => procedure === path)) {
          if (route.method === 'GET') continue
          answers.push(await winner.raw(route.method, restUrl(route.path), '{}', { ...json, origin }))
        }
        expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 403))
      }
      expect(winner.cookie).toBe(cookie)
      expect((await winner.get('/api/auth/user')).statusCode).toBe(200)
    },
  )

  // `/ws` is not tested here, because it has public events only and is open to every page.
  it('gets no socket for calls', async () => {
    const [cookie, url] = [winner.cookie ?? '', `ws://127.0.0.1:${port}/trpc`]
    for (const origin of [EVIL.origin, 'null', `http://127.0.0.1:${port}.evil.example`]) {
      await expect(openSocket(url, { origin, cookie })).rejects.toThrow('403')
    }
    const own = await openSocket(url, { origin: `http://127.0.0.1:${port}`, cookie })
    own.socket.close()
  })
})

describe('public responses', () => {
  async function answersTo(reader: Visitor): Promise<Map<string, string>> {
    const bodies = new Map<string, string>()
    for (const [path, { type }] of procedures) {
      if (type !== 'query') continue
      const valid = badInputs[path]?.valid ?? {}
      const input = 'id' in valid ? { ...valid, id: path.startsWith('users.') ? 1 : tokenId } : valid
      bodies.set(path, (await reader.query(path, input)).body)
      for (const route of restRoutes.filter(({ procedure }) => procedure === path)) {
        const url = restUrl(route.path.replace('/users/{id}', '/users/1'))
        bodies.set(`${path} ${url}`, (await reader.get(url)).body)
      }
    }
    return bodies
  }

  it.each(['a guest', 'another player'])(
    'contain no email, hash, session or key of a player, and a wallet on the leaderboard only: %s',
    async (who) => {
      const reader = who === 'a guest' ? server.visitor() : await server.player('reader')
      const user = await server.db
        .selectFrom('users')
        .selectAll()
        .where('username', '=', 'winner')
        .executeTakeFirstOrThrow()
      const secrets = [user.email, user.password_hash, winner.cookie?.split('=')[1] ?? '?', 'token_hash', '$argon2']
      const bodies = await answersTo(reader)
      bodies.set('/ws', heard.join('\n'))
      expect(bodies.get('/ws')).toContain('"trade"')
      expect(bodies.get('tokens.get')).toContain('"currentPrice"')
      const told = [...bodies].filter(([, body]) => secrets.some((secret) => body.includes(secret)))
      expect(told.map(([path]) => path)).toEqual([])
      const withWallet = [...bodies].filter(([, body]) => body.includes(WALLET)).map(([path]) => path)
      expect(withWallet).toEqual(['leaderboard.get', 'leaderboard.get /api/leaderboard'])
    },
  )

  it('contain names exactly as entered, as JSON that no browser treats as a page', async () => {
    for (const url of [
      `/api/tokens/${tokenId}`,
      '/api/tokens',
      '/api/users/1/profile',
      `/api/tokens/${tokenId}/trades`,
    ]) {
      const answer = await server.visitor().get(url)
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(answer.headers['x-content-type-options']).toBe('nosniff')
    }
    expect((await server.visitor().get(`/api/tokens/${tokenId}`)).json()).toMatchObject({
      name: HOSTILE_NAME,
      symbol: '$&',
    })
    expect((await server.visitor().get(`/api/tokens/${tokenId}/trades`)).body).toContain('<b>$&$1</b>')
    expect(heard.map((text) => JSON.parse(text))).toContainEqual(expect.objectContaining({ name: HOSTILE_NAME }))
  })

  it('contain names in pages only as escaped text', async () => {
    for (const url of [
      `/token/${tokenId}`,
      '/user/1',
      '/user/2',
      '/leaderboard',
      `/?search=${encodeURIComponent(HOSTILE_NAME)}`,
    ]) {
      const { body, headers } = await server.visitor().get(url, { accept: 'text/html' })
      expect(headers['content-type']).toMatch(/^text\/html/)
      expect(body).not.toMatch(/<img|<b>|<\/script><|\$&/)
    }
  })
})

describe('every kind of response', () => {
  it.each(['/', '/ws', '/objects/none', '/healthz', '/api/docs', '/none'])(
    'forbids frames, foreign scripts and content sniffing: %s',
    async (url) => {
      const { headers } = await server.visitor().get(url, { host: 'localhost:4000' })
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain('ws://localhost:4000')
      for (const part of ["default-src 'self'", "object-src 'none'", "base-uri 'none'", "form-action 'self'"]) {
        expect(policy).toContain(part)
      }
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toMatch(/;require-trusted-types-for 'script';trusted-types default(;|$)/)
      expect(headers['permissions-policy']).toMatch(/\bcamera=\(\), .*clipboard-write=\(self\)/)
      expect(policy).not.toMatch(/script-src|unsafe-eval/)
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['referrer-policy']).toBe('no-referrer')
    },
  )
})
