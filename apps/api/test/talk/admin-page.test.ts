import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../../src/commands/admin.ts'
import { LOCK_IDS } from '../../src/database/take-lock.ts'
import { findBreak } from '../../src/features/moderation/log.ts'
import { makeRoom } from '../support/fairs.ts'
import { ADMIN, logIdOf, openModerated, readData } from '../support/moderators.ts'
import type { TestServer, Visitor } from '../support/test-server.ts'
import { WAIT_MAX_MS } from '../support/wait.ts'

const WHY = { reason: 'House rules' }

let server: TestServer
let mod: Visitor
let boss: Visitor
let bossId: number
let rude: Visitor
let rudeId: number
beforeAll(async () => {
  ;({ server, mod, boss, rude, rudeId } = await openModerated())
  bossId = await boss.id()
})
afterAll(() => server?.close())

const act = (input: object, by = mod) => by.mutate('admin.act', { userId: rudeId, ...WHY, ...input })
const status = async (visitor: Visitor, path: string, input: object) =>
  (await visitor.mutate(path, { ...WHY, ...input })).statusCode

describe('every procedure of the admin page', () => {
  it('requires a second factor', async () => {
    const bare = await server.player()
    for (const [path, { type, role }] of ADMIN) {
      await sql`update users set role = ${role} where id = ${await bare.id()}`.execute(server.db)
      const answer = type === 'query' ? await bare.query(path) : await bare.mutate(path, {})
      expect([path, answer.json().error.json.data.reason]).toEqual([path, 'SECOND_FACTOR_OFF'])
    }
  })
})

describe('an action on a player without a case', () => {
  it('can end a suspension by a command, and cannot change a frozen account', async () => {
    const set = (standing: string) =>
      sql`update users set standing = ${standing} where id = ${rudeId}`.execute(server.db)
    const read = async () => (await readData(mod, 'admin.findPlayers', { search: 'rude' }))[0].standing
    await set('suspended')
    expect([(await act({ act: 'unsuspend' })).statusCode, await read()]).toEqual([200, 'active'])
    await set('frozen')
    // Suspending a frozen account would let the player sign in again.
    for (const wish of ['suspend', 'unsuspend'])
      expect([(await act({ act: wish })).statusCode, await read()]).toEqual([403, 'frozen'])
    await set('active')
  })

  it('can be a note, which moderators can read and the player cannot', async () => {
    const note = await act({ act: 'note', reason: 'Be careful with this one' })
    const log = await readData(mod, 'admin.playerLog', { userId: rudeId })
    expect(log[0]).toMatchObject({ id: logIdOf(note), act: 'note', reason: 'Be careful with this one' })
    expect((await rude.get('/api/reports/acts')).body).not.toContain('careful')
    expect((await rude.post(`/api/reports/acts/${logIdOf(note)}/appeal`, { words: 'Why?' })).statusCode).toBe(404)
    expect((await act({ act: 'note', userId: 999_999 })).statusCode).toBe(404)
  })
})

/** Returns the player's notices about moderators' actions, newest first. */
const readTold = async (visitor: Visitor): Promise<string[]> =>
  (await visitor.get('/api/notices'))
    .json()
    .news.map(({ moderation: { act, about } }: { moderation: { act: string; about: string } }) => `${act} ${about}`)

describe('the player whom an action concerns', () => {
  it('gets a notice of it, with or without a case, but not of a note', async () => {
    const told = await server.player('told')
    const [userId, tokenId] = [await told.id(), await told.launch({ name: 'Told Tent', symbol: 'TOLD' })]
    await act({ userId, act: 'note' })
    const warned = await act({ userId, act: 'warn' })
    await act({ userId, act: 'mute', minutes: 60 })
    for (const wish of ['suspend', 'unsuspend']) await act({ userId, act: wish })
    await mod.mutate('admin.undo', { id: logIdOf(warned), ...WHY })
    // The last action gets a notice too, although the same one was done a moment before.
    for (const isHidden of [true, false, true]) await status(mod, 'admin.hideToken', { tokenId, isHidden })
    expect(await readTold(told)).toEqual([
      ...['hide token', 'unhide token', 'hide token', 'undo player', 'unsuspend player'],
      ...['suspend player', 'mute player', 'warn player'],
    ])
  })
})

describe('an operator’s command', () => {
  const command = (...args: string[]) =>
    run({ openDatabase: async () => server.database, say: () => {} } as never, args)
  const readLog = async (count: number) =>
    (await readData(boss, 'admin.log', {})).entries
      .slice(0, count)
      .map(({ asRole, act, reason }: Record<string, string>) => [asRole, act, reason])
      .reverse()

  it('is logged like an action on the page, and notifies the player', async () => {
    const poor = await server.player('poor')
    const tokenId = String(await poor.launch({ name: 'Poor Tent', symbol: 'POOR' }))
    await command('warn', 'poor', 'No wash trading')
    await command('unwarn', 'poor')
    // The second command changes nothing, so it is not logged.
    await command('unwarn', 'poor')
    await command('suspend', 'poor', '--reason', 'Bots')
    await command('unsuspend', 'poor')
    for (const name of ['hide', 'unhide']) await command(name, tokenId)
    const usual = 'By an operator’s command'
    const rows = {
      warn: 'No wash trading',
      unwarn: usual,
      suspend: 'Bots',
      unsuspend: usual,
      hide: usual,
      unhide: usual,
    }
    expect(await readLog(6)).toEqual(Object.entries(rows).map((row) => ['command', ...row]))
    const told = ['unhide token', 'hide token', 'unsuspend player', 'suspend player', 'unwarn player', 'warn player']
    expect(await readTold(poor)).toEqual(told)
  })

  it('can be undone on the page by an operator, except a freeze', async () => {
    const frost = await server.player('frost')
    const undoLast = async (by = boss) => {
      const [{ id }] = (await readData(boss, 'admin.log', {})).entries
      return (await by.mutate('admin.undo', { id, ...WHY })).statusCode
    }
    const standing = async () => (await readData(mod, 'admin.findPlayers', { search: 'frost' }))[0].standing
    await command('suspend', 'frost')
    expect([await undoLast(mod), await standing()]).toEqual([403, 'suspended'])
    expect([await undoLast(), await standing()]).toEqual([200, 'active'])
    await command('suspend', 'frost', '--frozen')
    expect([await undoLast(), await standing()]).toEqual([403, 'frozen'])
    await command('unsuspend', 'frost')
    await command('warn', 'frost', 'No wash trading')
    expect(await undoLast()).toBe(200)
    expect((await frost.get('/api/auth/user')).json().warning).toBeNull()
  })

  it('is also logged if it ends a fair or makes it void', async () => {
    const rooms = [await makeRoom(await server.player()), await makeRoom(await server.player())]
    await command('fairs', 'end', String(rooms[0]?.id))
    await command('fairs', 'void', String(rooms[1]?.id), 'Two were one')
    expect(await readLog(2)).toEqual([
      ['command', 'end', 'By an operator’s command'],
      ['command', 'void', 'Two were one'],
    ])
  })
})

describe('a look at a player’s sessions and browsers', () => {
  it('is logged with its reason, and shows the stored data', async () => {
    const twin = await (await server.player('twin')).id()
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

  it('does not block other actions while it reads', async () => {
    const { looking } = await server.db.transaction().execute(async (tx) => {
      await sql`lock table grants in access exclusive mode`.execute(tx)
      const looking = status(boss, 'admin.look', { userId: rudeId, at: 'grants' })
      const isReading = async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
             and query like '%from grants%'`.execute(server.db)
        return rows.length > 0
      }
      await expect.poll(isReading, { timeout: WAIT_MAX_MS }).toBe(true)
      const { rows } = await sql`select pg_try_advisory_xact_lock(${LOCK_IDS.moderationLog}) as got`.execute(tx)
      expect(rows).toEqual([{ got: true }])
      return { looking }
    })
    expect(await looking).toBe(200)
  })

  it('shows nothing if it cannot be logged', async () => {
    await sql`
      create trigger refuse_row before insert on moderation_log for each statement execute function refuse_change()`.execute(
      server.db,
    )
    expect(await status(boss, 'admin.look', { userId: rudeId, at: 'sessions' })).toBe(500)
    await sql`drop trigger refuse_row on moderation_log`.execute(server.db)
  })
})

describe('tokens and fairs', () => {
  it('shows whether a token is listed or hidden, and does not hide an unknown one', async () => {
    const tokenId = await rude.launch({ name: 'Dubious Tent', symbol: 'DUB' })
    const find = async () => (await readData(mod, 'admin.findTokens', { search: 'dubious' }))[0]
    for (const [isHidden, state] of [
      [true, 'hidden'],
      [false, 'listed'],
    ] as const) {
      expect(await status(mod, 'admin.hideToken', { tokenId, isHidden })).toBe(200)
      expect(await find()).toMatchObject({ id: tokenId, state })
    }
    expect(await status(mod, 'admin.hideToken', { tokenId: 999_999, isHidden: true })).toBe(404)
  })

  it('can end a fair before it starts, and make one void with its reason', async () => {
    const rooms = [await makeRoom(rude), await makeRoom(await server.player())]
    for (const [index, { id }] of rooms.entries()) {
      expect(await status(boss, 'admin.endFair', { fairId: id, isVoid: index === 1 })).toBe(200)
      const { rows } = await sql`select state, note from fairs where id = ${id}`.execute(server.db)
      expect(rows).toEqual([
        { state: 'void', note: index === 1 ? 'House rules' : 'This fair was cancelled before it started.' },
      ])
    }
    const [last, first] = await readData(boss, 'admin.fairs')
    expect([last.state, first.state]).toEqual(['void', 'void'])
    expect(await status(boss, 'admin.endFair', { fairId: 999_999, isVoid: false })).toBe(404)
  })

  it.each([false, true])('does not end a fair if that cannot be logged (void: %s)', async (isVoid) => {
    const { id } = await makeRoom(await server.player())
    await sql`
      create trigger refuse_row before insert on moderation_log for each statement execute function refuse_change()`.execute(
      server.db,
    )
    expect(await status(boss, 'admin.endFair', { fairId: id, isVoid })).toBe(500)
    await sql`drop trigger refuse_row on moderation_log`.execute(server.db)
    const fair = await server.db.selectFrom('fairs').select('state').where('id', '=', id).executeTakeFirst()
    expect(fair).toEqual({ state: 'lobby' })
  })
})

it('shows settings without their secrets, and the log’s chain is intact', async () => {
  const lines: { title: string; note: string }[] = await readData(boss, 'admin.settings')
  expect(lines.some(({ title }) => title === 'DATABASE_URL')).toBe(true)
  expect(lines.find(({ title }) => title === 'DATABASE_URL')?.note).not.toContain('://')
  expect(await findBreak(server.db)).toBeNull()
})
