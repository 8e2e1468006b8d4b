import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBreak } from '../../src/moderation/log.ts'
import { makeRoom } from '../support/fairs.ts'
import { ADMIN, getId, logIdOf, openModerated, readData } from '../support/moderators.ts'
import type { TestServer, Visitor } from '../support/test-server.ts'

const WHY = { reason: 'House rules' }

let server: TestServer
let mod: Visitor
let boss: Visitor
let bossId: number
let rude: Visitor
let rudeId: number
beforeAll(async () => {
  ;({ server, mod, boss, rude, rudeId } = await openModerated())
  bossId = await getId(boss)
})
afterAll(() => server?.close())

const act = (input: object, by = mod) => by.mutate('admin.act', { userId: rudeId, ...WHY, ...input })
const status = async (visitor: Visitor, path: string, input: object) =>
  (await visitor.mutate(path, { ...WHY, ...input })).statusCode

describe('every procedure of the admin page', () => {
  it.each(ADMIN)('%s wants a second factor', async (path, { type, role }) => {
    const bare = await server.player()
    await sql`update users set role = ${role} where id = ${await getId(bare)}`.execute(server.db)
    const answer = type === 'query' ? await bare.query(path) : await bare.mutate(path, {})
    expect(answer.json().error.json.data.reason).toBe('SECOND_FACTOR_OFF')
  })

  it.each(ADMIN.filter(([, { type }]) => type === 'mutation'))('%s takes nothing from another site', async (path) => {
    const answer = await boss.post(`/trpc/${path}`, { json: {} }, { origin: 'https://evil.example' })
    expect([answer.statusCode, answer.json().error.json.data.reason]).toEqual([403, 'CROSS_ORIGIN'])
  })
})

describe('an act about a player without a case', () => {
  it('mutes, warns and suspends, and is taken back by its row', async () => {
    for (const [input, isFelt] of [
      [{ act: 'warn' }, async () => (await rude.get('/api/auth/user')).json().warning === 'House rules'],
      [
        { act: 'suspend' },
        async () => (await readData(mod, 'admin.findPlayers', { search: 'rude' }))[0].standing === 'suspended',
      ],
      [
        { act: 'mute', minutes: 60 },
        async () => (await readData(mod, 'admin.findPlayers', { search: 'rude' }))[0].mutedUntil !== null,
      ],
    ] as const) {
      const done = await act(input)
      expect([input.act, done.statusCode, await isFelt()]).toEqual([input.act, 200, true])
      await mod.mutate('admin.undo', { id: logIdOf(done), ...WHY })
      expect([input.act, await isFelt()]).toEqual([input.act, false])
    }
    expect((await act({ act: 'mute' })).statusCode).toBe(400)
    expect((await act({ act: 'warn', minutes: 60 })).statusCode).toBe(400)
  })

  it('ends a suspension by a command, and leaves a frozen account to operators’ commands', async () => {
    const set = (standing: string) =>
      sql`update users set standing = ${standing} where id = ${rudeId}`.execute(server.db)
    const read = async () => (await readData(mod, 'admin.findPlayers', { search: 'rude' }))[0].standing
    await set('suspended')
    expect([(await act({ act: 'unsuspend' })).statusCode, await read()]).toEqual([200, 'active'])
    await set('frozen')
    // Suspending would let a frozen player in again.
    for (const wish of ['suspend', 'unsuspend'])
      expect([(await act({ act: wish })).statusCode, await read()]).toEqual([403, 'frozen'])
    await set('active')
  })

  it('is not about oneself, an operator, or nobody', async () => {
    const statuses = [await getId(mod), bossId, 999_999].map((userId) =>
      status(mod, 'admin.act', { act: 'warn', userId }),
    )
    expect(await Promise.all(statuses)).toEqual([403, 403, 404])
  })

  it('may be a note, which moderators read and the player does not', async () => {
    const note = await act({ act: 'note', reason: 'Be careful with this one' })
    const log = await readData(mod, 'admin.playerLog', { userId: rudeId })
    expect(log[0]).toMatchObject({ id: logIdOf(note), act: 'note', reason: 'Be careful with this one' })
    expect((await rude.get('/api/reports/acts')).body).not.toContain('careful')
    expect((await rude.post(`/api/reports/acts/${logIdOf(note)}/appeal`, { words: 'Why?' })).statusCode).toBe(404)
  })
})

describe('a look at sessions and browsers', () => {
  it('is logged with its reason, and shows what there is', async () => {
    const twin = await getId(await server.player('twin'))
    await sql`
      insert into account_browsers (user_id, browser_hash, first_seen_at, last_seen_at)
      select unnest(array[${rudeId}, ${twin}]::int[]), decode(repeat('00', 32), 'hex'), now(), now()`.execute(server.db)
    const look = async (at: string) =>
      (await boss.mutate('admin.look', { userId: rudeId, at, ...WHY })).json().result.data.json
    expect(await look('sessions')).toHaveLength(1)
    await rude.post('/api/keys', { name: 'my bot', scopes: ['trade'] })
    expect(await look('keys')).toEqual([{ title: 'my bot', note: 'API key · trade · last used never' }])
    expect(await look('grants')).toMatchObject([{ title: '100 SOL', note: expect.stringMatching(/^register · 20/) }])
    expect(await look('sources')).toMatchObject([{ title: `twin (${twin})` }])
    const { entries } = await readData(boss, 'admin.log', {})
    expect(entries.slice(0, 4)).toMatchObject([
      { act: 'look-sources', reason: 'House rules', actor: { id: bossId }, concerned: { id: rudeId } },
      ...[{ act: 'look-grants' }, { act: 'look-keys' }, { act: 'look-sessions' }],
    ])
    expect(await status(boss, 'admin.look', { userId: 999_999, at: 'sessions' })).toBe(404)
  })
})

describe('tokens and fairs', () => {
  it('hides a token, and lists it again', async () => {
    const tokenId = await rude.launch({ name: 'Dubious Tent', symbol: 'DUB' })
    const find = async () => (await readData(mod, 'admin.findTokens', { search: 'dubious' }))[0]
    const isThere = async () => (await server.visitor().get(`/api/talk?tokenId=${tokenId}`)).statusCode
    expect(await find()).toMatchObject({ id: tokenId, state: 'listed' })
    expect(await status(mod, 'admin.hideToken', { tokenId, isHidden: true })).toBe(200)
    expect([(await find()).state, await isThere()]).toEqual(['hidden', 404])
    expect(await status(mod, 'admin.hideToken', { tokenId, isHidden: false })).toBe(200)
    expect([(await find()).state, await isThere()]).toEqual(['listed', 200])
    expect(await status(mod, 'admin.hideToken', { tokenId: 999_999, isHidden: true })).toBe(404)
  })

  it('ends a fair before it began, and makes one void with its reason', async () => {
    const rooms = [await makeRoom(rude), await makeRoom(await server.player())]
    for (const [index, { id }] of rooms.entries()) {
      expect(await status(boss, 'admin.endFair', { fairId: id, isVoid: index === 1 })).toBe(200)
      const { rows } = await sql`select state, note from fairs where id = ${id}`.execute(server.db)
      expect(rows).toEqual([{ state: 'void', note: index === 1 ? 'House rules' : 'It ended before it began.' }])
    }
    expect((await readData(boss, 'admin.fairs')).map(({ state }: { state: string }) => state)).toEqual(['void', 'void'])
    expect(await status(boss, 'admin.endFair', { fairId: 999_999, isVoid: false })).toBe(404)
  })
})

it('shows settings without their secrets, and leaves the chain of the log whole', async () => {
  const lines: { title: string; note: string }[] = await readData(boss, 'admin.settings')
  expect(lines.some(({ title }) => title === 'DATABASE_URL')).toBe(true)
  expect(lines.find(({ title }) => title === 'DATABASE_URL')?.note).not.toContain('://')
  expect(await findBreak(server.db)).toBeNull()
})
