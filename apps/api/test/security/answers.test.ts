import { describe, expect, it } from 'vitest'
import { restRoutes } from '../../src/http/rest/routes.ts'
import { badInputs } from '../support/bad-input.ts'
import { sendCall } from '../support/send-call.ts'
import { shareTestServer, type Visitor } from '../support/test-server.ts'

const server = await shareTestServer()
const player = await server.player()
await player.launch()

const CHALLENGE = 'Bearer realm="Papermoon"'
/** A procedure of each class of access. */
const called = ['tokens.get', 'auth.me', 'alerts.list', 'trading.buy', 'auth.logout']

describe('an answer over tRPC', () => {
  it('is kept by nobody, also where it is a batch, a refusal, or no procedure’s', async () => {
    const input = encodeURIComponent(JSON.stringify({ 0: { json: null }, 1: { json: { id: 99 } } }))
    const batch = `auth.me,tokens.get?batch=1&input=${input}`
    for (const path of [...called, batch, 'nothing', 'auth.me?zzz=1', '']) {
      expect([path, (await player.get(`/trpc/${path}`)).headers['cache-control']]).toEqual([path, 'no-store'])
    }
  })
})

describe('every 401', () => {
  it.each(called)('says how to be recognized, by every transport: %s', async (path) => {
    const visitors: [Visitor, Record<string, string>, string][] = [
      [server.visitor(), {}, CHALLENGE],
      [server.visitor(), { authorization: 'Bearer nonsense' }, `${CHALLENGE}, error="invalid_token"`],
    ]
    for (const [visitor, headers, challenge] of visitors) {
      const envelope = JSON.stringify({ json: badInputs[path]?.valid })
      const answers = [await sendCall(visitor, path, { envelope, headers })]
      for (const { method, path: url } of restRoutes.filter(({ procedure }) => procedure === path)) {
        answers.push(await visitor.send({ method, url: url.replaceAll(/\{\w+\}/g, '1'), headers }))
      }
      const refused = answers.filter(({ statusCode }) => statusCode === 401)
      expect(refused.map((answer) => answer.headers['www-authenticate'])).toEqual(refused.map(() => challenge))
      if (headers.authorization !== undefined) expect(refused.length).toBeGreaterThan(0)
    }
  })

  it('says so for a wrong password and in a batch, too, and nothing else does', async () => {
    const wrong = { email: 'player-1@papermoon.example', password: 'wrong-1' }
    const answers = [
      await server.visitor().post('/api/auth/login', wrong),
      await server.visitor().mutate('auth.login', wrong),
      await server.visitor().get('/trpc/auth.me,keys.list?batch=1'),
    ]
    expect(answers.map((answer) => answer.statusCode)).toEqual([401, 401, 207])
    expect(answers.map((answer) => answer.headers['www-authenticate'])).toEqual([CHALLENGE, CHALLENGE, CHALLENGE])
    expect((await player.get('/api/auth/user')).headers['www-authenticate']).toBeUndefined()
  })
})
