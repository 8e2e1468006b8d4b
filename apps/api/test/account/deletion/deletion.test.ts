import { createHash } from 'node:crypto'
import { findBreak } from '@papermoon/chain'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { deleteDueAccounts } from '../../../src/features/account/deletion/delete-due-accounts.ts'
import { personalTables } from '../../../src/features/account/deletion/personal-tables.ts'
import { auditMarket } from '../../../src/features/audit/audit-market.ts'
import { makeRoom } from '../../support/fairs.ts'
import {
  createTestServer,
  errorsIn,
  openSocket,
  registration,
  shareTestServer,
  type Visitor,
} from '../../support/test-server.ts'
import { waitForLocked } from '../../support/wait.ts'
import { sayNew } from '../../support/words.ts'

const DAY_MS = 24 * 3_600_000
const WEEK_MS = 7 * DAY_MS

const server = await shareTestServer({ env: { SHOW_RESET_CODES: 'on' } })

const ask = (player: Visitor) => player.post('/api/account/deletion', {})
const undo = (player: Visitor) => player.raw('DELETE', '/api/account/deletion', '')
const round = () => deleteDueAccounts(server.app)
const userRow = (id: UserId) => server.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const findKinds = async (id: UserId): Promise<string[]> => {
  const rows = await server.db.selectFrom('account_events').select('kind').where('user_id', '=', id).execute()
  return rows.map(({ kind }) => kind)
}
const login = (name: string) => {
  const { email, password } = registration(name)
  return server.visitor().post('/api/auth/login', { email, password })
}

/** Returns the id of a player who requested the deletion a week ago and was deleted. */
async function deleted(name: string, before: (player: Visitor) => Promise<void> = async () => {}): Promise<UserId> {
  const player = await server.player(name)
  const id = await player.id()
  await before(player)
  expect((await ask(player)).statusCode).toBe(200)
  server.passTime(WEEK_MS)
  await round()
  return id
}

describe('a requested deletion', () => {
  it('is rejected, as an export is, for a session that a password reset ended meanwhile', async () => {
    const player = await server.player('overtaken')
    const id = await player.id()
    const acts = await server.db.transaction().execute(async (tx) => {
      await tx.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
      const waiting = [ask(player), player.post('/api/account/export', {})]
      await waitForLocked(server.db, 2)
      await tx.deleteFrom('sessions').where('user_id', '=', id).execute()
      return waiting
    })
    expect((await Promise.all(acts)).map(({ statusCode }) => statusCode)).toEqual([401, 401])
    expect((await userRow(id)).deletion_due_at).toBeNull()
  })

  it('is due in seven days, and every session of the player shows it', async () => {
    const player = await server.player('leaver')
    expect((await player.get('/api/auth/user')).json()).toMatchObject({ deletionDueAt: null })
    const before = server.app.platform.clock.now().getTime()
    const { deletionDueAt } = (await ask(player)).json()
    expect(Date.parse(deletionDueAt) - before).toBeGreaterThanOrEqual(WEEK_MS)
    expect(Date.parse(deletionDueAt) - before).toBeLessThan(WEEK_MS + 60_000)
    const elsewhere = server.visitor()
    const { email, password } = registration('leaver')
    await elsewhere.post('/api/auth/login', { email, password })
    expect((await elsewhere.get('/api/auth/user')).json()).toMatchObject({ deletionDueAt })
    // A second request keeps the first date.
    server.passTime(60_000)
    expect((await ask(player)).json()).toEqual({ deletionDueAt })
  })

  it('changes nothing before it is due', async () => {
    const player = await server.player('patient')
    const id = await player.id()
    await ask(player)
    server.passTime(WEEK_MS - 60_000)
    await round()
    expect((await userRow(id)).username).toBe('patient')
    const tokenId = await player.launch()
    expect((await player.post('/api/tokens/buy', { tokenId, solAmount: '1' })).statusCode).toBe(200)
  })

  it('can be undone by its player', async () => {
    const player = await server.player('repentant')
    const id = await player.id()
    await ask(player)
    expect((await undo(player)).statusCode).toBe(200)
    expect((await player.get('/api/auth/user')).json()).toMatchObject({ deletionDueAt: null })
    server.passTime(2 * WEEK_MS)
    await round()
    expect((await userRow(id)).username).toBe('repentant')
    expect((await login('repentant')).statusCode).toBe(200)
    expect(await findKinds(id)).toEqual(expect.arrayContaining(['deletion_asked', 'deletion_undone']))
  })

  it('is undone by a password reset, since an intruder may have requested it', async () => {
    const player = await server.player('robbed')
    const id = await player.id()
    await ask(player)
    const { email } = registration('robbed')
    const owner = server.visitor()
    const { resetToken } = (await owner.post('/api/auth/forgot-password', { email })).json()
    const reset = await owner.post('/api/auth/reset-password', { token: resetToken, newPassword: 'a paper moon' })
    expect(reset.statusCode).toBe(200)
    expect((await userRow(id)).deletion_due_at).toBeNull()
    expect((await findKinds(id)).filter((kind) => kind === 'deletion_undone')).toHaveLength(1)
  })

  it('can be requested and undone by a suspended player, and waits while the account is frozen', async () => {
    const player = await server.player('under-suspicion')
    const id = await player.id()
    const becomes = async (standing: 'suspended' | 'frozen' | 'active') => {
      await server.db.updateTable('users').set({ standing, standing_reason: 'Bots.' }).where('id', '=', id).execute()
      server.passTime(5_000)
    }
    await becomes('suspended')
    expect([(await ask(player)).statusCode, (await undo(player)).statusCode]).toEqual([200, 200])
    expect((await ask(player)).statusCode).toBe(200)
    await becomes('frozen')
    server.passTime(WEEK_MS)
    await round()
    expect((await userRow(id)).username).toBe('under-suspicion')
    await becomes('active')
    await round()
    expect(await userRow(id)).toMatchObject({ username: 'deleted player', standing_reason: null })
  })
})

describe('a deleted account', () => {
  it('has no name, address, wallet, picture, keys, sessions or events', async () => {
    const id = await deleted('vanished', async (player) => {
      await player.post('/api/keys', { name: 'bot', scopes: ['read'] })
      await player.mutate('auth.forgotPassword', { email: registration('vanished').email })
      // The response does not wait for this event.
      await expect.poll(async () => await findKinds(await player.id())).toContain('reset_requested')
    })
    const user = await userRow(id)
    expect(user).toMatchObject({ username: 'deleted player', email: '', wallet: '', profile_picture_url: null })
    for (const { table, owner, onDeletion } of personalTables) {
      if (onDeletion !== 'erase') continue
      const { rows } = await sql`select 1 from ${sql.table(table)} where ${sql.ref(owner)} = ${id}`.execute(server.db)
      expect([table, rows]).toEqual([table, []])
    }
    // No table of the database has personal data of the player.
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public'`.execute(server.db)
    for (const { name } of rows) {
      const found = await sql`
        select 1 from ${sql.table(name)} t where t::text ilike '%vanished%' limit 1`.execute(server.db)
      expect([name, found.rows]).toEqual([name, []])
    }
  })

  it('has no sessions and cannot log in', async () => {
    const player = await server.player('cut-off')
    await ask(player)
    await player.post('/api/keys', { name: 'bot', scopes: ['read', 'trade'] })
    const forgotten: string[] = []
    const { sessions, apiKeys } = server.app.accounts
    for (const { cache } of [sessions, apiKeys]) onTestFinished(cache.onRevoked((id) => void forgotten.push(id)))
    server.passTime(WEEK_MS)
    await round()
    // The node forgets the session and the key at once, not only at its next check.
    await expect.poll(() => forgotten.length).toBe(2)
    expect((await player.get('/api/auth/user')).statusCode).toBe(401)
    const [mine, unknown] = [await login('cut-off'), await login('never-was')]
    expect([mine.statusCode, mine.body]).toEqual([unknown.statusCode, unknown.body])
    // Nobody can log in with the text that replaces the email.
    for (const email of ['', 'deleted 1', 'deleted@1']) {
      const answer = await server.visitor().post('/api/auth/login', { email, password: 'secret-1' })
      expect(answer.statusCode).toBeGreaterThanOrEqual(400)
    }
    expect(errorsIn(server)).toEqual([])
  })

  it('keeps its trades: pools still trade, and every sum and every hash is exact', async () => {
    let tokenId = 0
    const other = await server.player()
    const id = await deleted('trader', async (player) => {
      tokenId = await player.launch({ initialBuyAmount: '2' })
      await player.post('/api/tokens/buy', { tokenId, solAmount: '1' })
      await other.post('/api/tokens/buy', { tokenId, solAmount: '1' })
    })
    const [account] = await server.db.selectFrom('accounts').selectAll().where('user_id', '=', id).execute()
    const bought = await other.post('/api/tokens/buy', { tokenId, solAmount: '1' })
    expect(bought.statusCode).toBe(200)
    expect(await server.db.selectFrom('accounts').selectAll().where('user_id', '=', id).execute()).toEqual([account])
    expect(await auditMarket(server.database.pool)).toMatchObject({ differences: 0 })
    const chain = (await server.visitor().get(`/api/tokens/${tokenId}/chain`)).json()
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
    expect([chain.entries.length, await findBreak(chain.after, chain.entries, sha256)]).toEqual([4, null])
  })

  it('is shown as "deleted player" at once wherever its name was shown', async () => {
    let tokenId = 0
    const paths = () => [
      `/api/tokens/${tokenId}`,
      '/api/tokens',
      `/api/tokens/${tokenId}/trades`,
      `/api/tokens/${tokenId}/holders`,
      '/api/tokens/movers',
      '/api/tokens/tape',
    ]
    const read = async () => {
      const answers = await Promise.all(paths().map((path) => server.visitor().get(path)))
      return answers.map(({ statusCode, body }) => [
        statusCode,
        body.includes('famous'),
        body.includes('deleted player'),
      ])
    }
    const id = await deleted('famous', async (player) => {
      tokenId = await player.launch({ initialBuyAmount: '2' })
      // The cached answers contain the name.
      expect((await read()).slice(0, 4)).toEqual(new Array(4).fill([200, true, expect.any(Boolean)]))
    })
    const after = await read()
    expect(after.map(([status, name]) => [status, name])).toEqual(paths().map(() => [200, false]))
    expect(after.slice(0, 4).every(([, , isDeleted]) => isDeleted)).toBe(true)
    const profile = await server.visitor().get(`/api/users/${id}/profile`)
    expect(profile.json().user).toMatchObject({ username: 'deleted player', profilePictureUrl: null })
    const page = await server.visitor().get(`/api/tokens/${tokenId}`)
    expect(page.json().creator).toEqual({ id, username: 'deleted player', isBot: false })
  })

  it('is shown as "deleted player" by other nodes within seconds', async () => {
    const { readNews } = await import('../../../src/events/journal.ts')
    const id = await deleted('elsewhere')
    expect((await readNews(server.db)).playerChanges).toContain(`deleted ${id}`)
    const { visibility } = server.app.live.feed
    server.app.live.feed.setPlayerChanges([`deleted ${id}`, 'deleted 999999'])
    expect(server.app.live.feed.visibility).toBe(visibility + 1)
    server.app.live.feed.setPlayerChanges(['deleted 999999'])
    expect(server.app.live.feed.visibility).toBe(visibility + 1)
  })

  it('frees its name and email, and nobody can register as "deleted player"', async () => {
    const id = await deleted('reborn')
    const again = await server.player('reborn')
    expect(await again.id()).not.toBe(id)
    for (const username of ['deleted player', 'Deleted  Player', 'dеleted player', 'deleted player 7']) {
      const answer = await server.visitor().post('/api/auth/register', { ...registration('liar'), username })
      expect([username, answer.statusCode]).toEqual([username, 409])
    }
    // Two deleted accounts can exist at the same time.
    await deleted('reborn-too')
  })

  it('keeps a winner’s wallet for 90 days after the window', async () => {
    const id = await deleted('winner', async (player) => {
      const userId = await player.id()
      // The server may record the winners of other windows meanwhile.
      await sql`
        with closed as (
          insert into giveaway_windows
          values ('2026-01-05T06:00Z', now()), (date_bin('6 hours', now() - interval '1 day', 'epoch'), now())
          returning started_at)
        insert into window_winners
        select started_at, 1, ${userId}, 'winner', 'a wallet', 1, now(), 1, 1, 1 from closed`.execute(server.db)
    })
    const winners = () =>
      server.db
        .selectFrom('window_winners')
        .select(['username', 'wallet'])
        .where('user_id', '=', id)
        .orderBy('window_started_at')
        .execute()
    expect(await winners()).toEqual([
      { username: 'deleted player', wallet: expect.any(String) },
      { username: 'deleted player', wallet: 'a wallet' },
    ])
    server.passTime(91 * DAY_MS)
    await round()
    expect(await winners()).toEqual(new Array(2).fill({ username: 'deleted player', wallet: '' }))
  })

  it('trades no more: its waiting orders end', async () => {
    const id = await deleted('waiter', async (player) => {
      const tokenId = await player.launch()
      const wish = { tokenId, kind: 'buy', solAmount: '1', price: '0.00000001' }
      expect((await player.post('/api/waiting-orders', wish)).statusCode).toBe(201)
    })
    const orders = server.db.selectFrom('waiting_orders').select(['state', 'cause']).where('user_id', '=', id)
    expect(await orders.execute()).toEqual([{ state: 'cancelled', cause: 'ACCOUNT_DELETED' }])
  })
})

describe('posts of a player who leaves', () => {
  /**
   * Deletes a player who wrote two posts, a reply and a hidden post. The player requested the deletion once with each
   * of these choices, and the last one counts.
   */
  async function leave(name: string, choices: readonly object[]) {
    const [reader, writer] = [await server.player(`${name}-reader`), await server.player(name)]
    const [id, tokenId] = [await writer.id(), await reader.launch()]
    const say = async (player: Visitor, more: object = {}) => {
      const answer = await player.post('/api/talk', { tokenId, text: sayNew(), ...more })
      expect(answer.statusCode, answer.body).toBe(201)
      return answer.json()
    }
    const parent = await say(reader)
    const reply = await say(writer, { parentId: parent.id })
    const posts = [await say(writer), await say(writer)]
    const hidden = await say(writer)
    await server.db.updateTable('posts').set({ state: 'hidden' }).where('id', '=', hidden.id).execute()
    for (const choice of choices) expect((await writer.post('/api/account/deletion', choice)).statusCode).toBe(200)
    server.passTime(WEEK_MS)
    await round()
    const list = (await reader.get(`/api/talk?tokenId=${tokenId}`)).json()
    const replies = (await reader.get(`/api/talk/${parent.id}/replies`)).json()
    const rows = await server.db.selectFrom('posts').select(['id', 'text']).where('user_id', '=', id).execute()
    return { id, parent, reply, posts, hidden, list, replies, rows }
  }

  it('are erased, even if an earlier request chose to keep them', async () => {
    const { parent, list, replies, rows } = await leave('wordless', [{ keepPosts: true }, {}])
    expect(list).toMatchObject([{ id: parent.id, replies: 0 }])
    expect(replies).toEqual([])
    expect(rows.map(({ text }) => text)).toEqual(['', '', '', ''])
  })

  it('stay under the name "deleted player" if the player chooses so, except hidden ones', async () => {
    const { id, parent, reply, posts, hidden, list, replies, rows } = await leave('talker', [{}, { keepPosts: true }])
    const writer = { id, username: 'deleted player' }
    expect(list).toMatchObject([
      ...posts.toReversed().map(({ text }) => ({ text, state: 'shown', writer })),
      { id: parent.id, replies: 1 },
    ])
    expect(replies).toMatchObject([{ id: reply.id, text: reply.text, writer }])
    expect(rows.find((row) => row.id === hidden.id)?.text).toBe('')
  })

  it.each([
    ['are erased', {}, { state: 'deleted', text: '', writer: { username: 'deleted player' } }],
    ['lose the name', { keepPosts: true }, { state: 'shown', writer: { username: 'deleted player' } }],
  ])('%s on open pages too, in both markets', async (_, choice, post) => {
    const [reader, writer] = [await server.player(), await server.player()]
    const { id: fairId } = await makeRoom(reader, [writer])
    const watchers: Awaited<ReturnType<typeof openSocket>>[] = []
    for (const topic of [{ tokenId: await writer.launch() }, { fairId }]) {
      const watcher = await openSocket(`ws://127.0.0.1:${await listen()}/trpc`, { cookie: reader.cookie ?? '' })
      watcher.send({ id: 1, method: 'subscription', params: { path: 'talk.watch', input: { json: topic } } })
      expect(await watcher.next()).toMatchObject({ result: { type: 'started' } })
      expect((await writer.post('/api/talk', { ...topic, text: sayNew() })).statusCode).toBe(201)
      expect(await watcher.next()).toMatchObject({ result: { data: { json: { data: { kind: 'shown' } } } } })
      watchers.push(watcher)
    }
    expect((await writer.post('/api/account/deletion', choice)).statusCode).toBe(200)
    server.passTime(WEEK_MS)
    await round()
    for (const { next, socket } of watchers) {
      expect(await next()).toMatchObject({ result: { data: { json: { data: { kind: 'changed', post } } } } })
      socket.close()
    }
  })
})

describe('the round that deletes', () => {
  it('deletes each account on one node only, and does nothing when repeated', async () => {
    const ids: UserId[] = []
    for (let count = 0; count < 4; count++) {
      const player = await server.player(`crowd-${count}`)
      ids.push(await player.id())
      await ask(player)
    }
    server.passTime(WEEK_MS)
    const before = server.logs.length
    await Promise.all([round(), round(), round()])
    const lines = server.logs.slice(before).filter((line) => line.msg === 'security: deleted')
    expect(lines.map((line) => 'userId' in line && line.userId).sort()).toEqual([...ids].sort())
    const rows = await Promise.all(ids.map(userRow))
    await round()
    expect(await Promise.all(ids.map(userRow))).toEqual(rows)
  })

  it('completes or rejects orders in flight, accepts none afterwards, and keeps the books exact', async () => {
    const player = await server.player('busy-to-the-end')
    const id = await player.id()
    const tokenId = await player.launch({ initialBuyAmount: '1' })
    await ask(player)
    server.passTime(WEEK_MS)
    const buy = () => player.post('/api/tokens/buy', { tokenId, solAmount: '0.1' })
    const ended = round()
    const answers = await Promise.all([...Array.from({ length: 8 }, buy), ended.then(buy), ended.then(buy)])
    const statuses = answers.map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => ![200, 401, 429].includes(status))).toEqual([])
    expect(statuses.slice(-2)).toEqual([401, 401])
    expect((await userRow(id)).username).toBe('deleted player')
    expect(await auditMarket(server.database.pool)).toMatchObject({ differences: 0 })
  })

  it('leaves an account whole if it fails, and the next round deletes it', async () => {
    const player = await server.player('unlucky')
    const id = await player.id()
    await ask(player)
    server.passTime(WEEK_MS)
    await sql`alter table window_winners rename to window_winners_away`.execute(server.db)
    await expect(round()).rejects.toThrow()
    await sql`alter table window_winners_away rename to window_winners`.execute(server.db)
    expect(await userRow(id)).toMatchObject({ username: 'unlucky', deleted_at: null })
    const sessions = await server.db.selectFrom('sessions').select('id').where('user_id', '=', id).execute()
    expect(sessions.length).toBeGreaterThan(0)
    await round()
    expect((await userRow(id)).username).toBe('deleted player')
  })

  it('removes rows that a call in flight wrote after the deletion', async () => {
    const id = await deleted('late')
    await sql`
      insert into account_events (user_id, kind, at, address) values (${id}, 'signed_out', now(), '203.0.113.7')`.execute(
      server.db,
    )
    await round()
    const rows = await server.db.selectFrom('account_events').select('id').where('user_id', '=', id).execute()
    expect(rows).toEqual([])
  })

  it('is started by the server itself', async () => {
    const other = await createTestServer()
    onTestFinished(() => other.close())
    const player = await other.player('overdue')
    const id = await player.id()
    await other.db
      .updateTable('users')
      .set({ deletion_due_at: sql<Date>`now() - interval '3 days'` })
      .where('id', '=', id)
      .execute()
    await other.tick('due')
    const users = other.db.selectFrom('users').select('username').where('id', '=', id)
    expect((await users.executeTakeFirstOrThrow()).username).toBe('deleted player')
  })
})

let port: number | undefined
async function listen(): Promise<number> {
  port ??= await server.listen()
  return port
}
