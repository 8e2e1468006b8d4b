import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBreak } from '../../src/features/moderation/log.ts'
import { ageAccount, moderator } from '../support/moderators.ts'
import { openSocket, type TestServer, type Visitor } from '../support/test-server.ts'
import { startTwoNodes, type TwoNodes } from '../support/two-nodes.ts'
import { sayNew } from '../support/words.ts'

const HOUR_MS = 3_600_000

let two: TwoNodes
let server: TestServer
/** Another node with the same database. */
let other: TestServer
let boss: Visitor
let player: Visitor
let tokenId: number
beforeAll(async () => {
  two = await startTwoNodes({ RATE_LIMIT: 'on' })
  ;[server, other] = two.nodes
  boss = await moderator(server, 'boss', 'operator')
  player = await server.player('speaker')
  tokenId = await player.launch()
})
afterAll(() => two?.close())

const readSite = async (node: TestServer) => (await node.visitor().get('/api/site')).json()
const announce = (input: object) => boss.mutate('admin.announce', input)
const readLog = async () => (await boss.query('admin.log', {})).json().result.data.json.entries

describe('an announcement', () => {
  it('is shown by every node, is logged, and can be removed', async () => {
    expect((await readSite(server)).announcement).toBeNull()
    const logId = (await announce({ text: '  A fair  at nine ' })).json().result.data.json.logId
    const shown = { id: logId, text: 'A fair at nine', endsAt: null }
    expect((await readSite(server)).announcement).toEqual(shown)
    await other.tickUntil('changes', async () => expect((await readSite(other)).announcement).toEqual(shown))
    expect((await readLog())[0]).toMatchObject({
      act: 'announce',
      words: 'A fair at nine',
      actor: { username: 'boss' },
    })
    await announce({ text: null })
    expect((await readSite(server)).announcement).toBeNull()
    await other.tickUntil('changes', async () => expect((await readSite(other)).announcement).toBeNull())
  })

  it('is sent to open pages at every node', async () => {
    const port = await other.listen()
    const { next, send, socket } = await openSocket(`ws://127.0.0.1:${port}/trpc`)
    send({ id: 1, method: 'subscription', params: { path: 'site.announcement' } })
    const read = async () => {
      for (;;) {
        const { result } = (await next()) as {
          result: { type: string; data?: { json: { data: { announcement: unknown } } } }
        }
        if (result.data !== undefined) return result.data.json.data.announcement
      }
    }
    const announceThere = async (text: string | null) => {
      await announce({ text })
      await other.tick('changes')
      return await read()
    }
    expect(await read()).toBeNull()
    expect(await announceThere('Live for all')).toMatchObject({ text: 'Live for all' })
    expect(await announceThere('And another')).toMatchObject({ text: 'And another' })
    expect(await announceThere(null)).toBeNull()
    socket.close()
  })

  it('ends at its set time', async () => {
    const endsAt = new Date(server.app.platform.clock.now().getTime() + HOUR_MS).toISOString()
    await announce({ text: 'Back in an hour', endsAt })
    expect((await readSite(server)).announcement).toMatchObject({ text: 'Back in an hour', endsAt })
    server.passTime(HOUR_MS)
    await server.tickUntil('changes', async () => expect((await readSite(server)).announcement).toBeNull())
    server.passTime(-HOUR_MS)
  })

  it('has at most 200 characters, and no end in the past', async () => {
    const read = async (input: object) => {
      const answer = await announce(input)
      return [answer.statusCode, answer.json().error.json.message]
    }
    expect(await read({ text: 'x'.repeat(201) })).toEqual([400, 'text must be at most 200 characters.'])
    expect(await read({ text: ' ' })).toEqual([400, 'text is required.'])
    expect(await read({ text: 'Late', endsAt: '2020-01-01T00:00:00.000Z' })).toEqual([
      400,
      'endsAt must be in the future.',
    ])
    expect((await readSite(server)).announcement).toBeNull()
  })
})

describe('a limit that operators can change', () => {
  const setBound = (bound: string, value: number) => boss.mutate('admin.setBound', { bound, value, reason: 'A flood' })
  const write = async (by = player, text = sayNew()) => (await by.post('/api/talk', { tokenId, text })).statusCode
  const readBounds = async () =>
    Object.fromEntries(
      (await boss.query('admin.bounds'))
        .json()
        .result.data.json.map(({ bound, value }: { bound: string; value: number }) => [bound, value]),
    )

  it('has its default until an operator changes it, and the change is logged', async () => {
    const usual = { accountPosts: 12, newAccountPosts: 10, newAccountHours: 24, sameWords: 2, accountReports: 40 }
    expect(await readBounds()).toEqual(usual)
    expect((await setBound('sameWords', 3)).statusCode).toBe(200)
    expect(await readBounds()).toEqual({ ...usual, sameWords: 3 })
    expect((await readLog())[0]).toMatchObject({
      act: 'set-bound',
      kind: 'bound',
      reason: 'A flood',
      words: 'Others who can post the same text in an hour before it is held: 3',
    })
    await setBound('sameWords', 2)
    expect(await readBounds()).toEqual(usual)
  })

  it('rejects invalid values with the allowed range', async () => {
    const read = async (bound: string, value: number) => (await setBound(bound, value)).json().error.json.message
    expect(await read('accountPosts', 0)).toBe('value must be from 1 to 60.')
    expect(await read('accountPosts', 61)).toBe('value must be from 1 to 60.')
    expect(await read('accountPosts', 1.5)).toBe('value must be a whole number.')
    expect(await read('posts', 5)).toMatch(/^bound must be one of accountPosts, /)
  })

  it('slows new accounts for as long as they count as new', async () => {
    await setBound('newAccountPosts', 2)
    expect([await write(), await write(), await write()]).toEqual([201, 201, 429])
    await sql`update users set created_at = now() - interval '2 hours' where username = 'speaker'`.execute(server.db)
    await setBound('newAccountHours', 1)
    expect(await write()).toBe(201)
    await setBound('newAccountHours', 24)
    expect(await write()).toBe(429)
    await setBound('newAccountPosts', 10)
    expect(await write()).toBe(201)
  })

  it('slows every account, on every node', async () => {
    const writer = await server.player('writer')
    await ageAccount(server, writer)
    await setBound('accountPosts', 1)
    expect([await write(writer), await write(writer)]).toEqual([201, 429])
    const { limits } = other.app.accounts
    const spend = async (account: string) => {
      await limits.spendAccount({ ip: '192.0.2.1', header: () => {} }, 'talk', account)
      await limits.spendAccount({ ip: '192.0.2.1', header: () => {} }, 'talk', account)
    }
    let tries = 0
    await other.tickUntil('changes', () =>
      expect(spend(`somebody-${++tries}`)).rejects.toMatchObject({ code: 'RATE_LIMITED' }),
    )
    await setBound('accountPosts', 12)
    expect(await write(writer)).toBe(201)
  })

  it('applies to reports, and to how many players can post the same text', async () => {
    await setBound('accountReports', 1)
    const reporter = await server.player('reporter')
    const report = async (id: number) =>
      (await reporter.post('/api/reports', { kind: 'token', id, reason: 'spam' })).statusCode
    const second = await player.launch()
    expect([await report(tokenId), await report(second)]).toEqual([201, 429])
    await setBound('accountReports', 40)
    await setBound('sameWords', 1)
    const text = sayNew()
    const states = []
    for (const name of ['first-voice', 'second-voice']) {
      const voice = await server.player(name)
      states.push((await voice.post('/api/talk', { tokenId, text })).json().state)
    }
    expect(states).toEqual(['shown', 'held'])
    expect(await findBreak(server.db)).toBeNull()
  })
})
