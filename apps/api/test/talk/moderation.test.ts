import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../../src/commands/admin.ts'
import { LOCK_IDS } from '../../src/database/take-lock.ts'
import { deleteOldRows } from '../../src/delete-old-rows.ts'
import { runAudit } from '../../src/features/audit/run-audit.ts'
import { aboutPlayer, appendAct, byCommand, findBreak } from '../../src/features/moderation/log.ts'
import { addPasskey } from '../support/factors/passkeys.ts'
import { confirmWithCode, enableTotp } from '../support/factors/second-factor.ts'
import { makeRoom } from '../support/fairs.ts'
import { ADMIN, logIdOf, moderator, openModerated, proveFactor, readData } from '../support/moderators.ts'
import type { TestServer, Visitor } from '../support/test-server.ts'
import { WAIT_MAX_MS } from '../support/wait.ts'
import { sayNew } from '../support/words.ts'

/** Number of tries in which two calls run at the same time. Some of them conflict. */
const MEETINGS = 4

let server: TestServer
let mod: Visitor
let modId: number
let second: Visitor
let boss: Visitor
let rude: Visitor
let rudeId: number
let tokenId: number
beforeAll(async () => {
  ;({ server, mod, boss, rude, rudeId } = await openModerated())
  second = await moderator(server, 'mod-two')
  modId = await mod.id()
  tokenId = await rude.launch()
})
afterAll(() => server?.close())

const write = async (text = sayNew()) => {
  const answer = await rude.post('/api/talk', { tokenId, text })
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json().id as number
}
const report = async (id: number, kind = 'post', by?: Visitor) =>
  await (by ?? (await server.player())).post('/api/reports', { kind, id, reason: 'spam', note: 'Look at that' })
interface Case {
  readonly id: number
  readonly targetId: number
  readonly kind: string
  readonly reports: number
  readonly words: string
}
const listCases = async (): Promise<Case[]> => (await readData(mod, 'admin.cases')).cases
const findCase = async (targetId: number): Promise<Case> => {
  // A post and an account may have the same id, so this takes the newest case.
  const found = (await listCases()).toSorted((a, b) => b.id - a.id).find((one) => one.targetId === targetId)
  if (found === undefined) throw new Error(`no case of ${targetId}`)
  return found
}
const decide = async (targetId: number, act: string, more: object = {}, by = mod) => {
  const { id } = await findCase(targetId)
  return await by.mutate('admin.decide', { caseId: id, act, reason: 'House rules', ...more })
}
const isShown = async (id: number) =>
  (await server.visitor().get(`/api/talk?tokenId=${tokenId}&limit=100`)).json().some((post: Case) => post.id === id)

describe('every procedure of moderators', () => {
  it('names the role that it needs, and has no REST address', () => {
    expect(ADMIN.length).toBeGreaterThan(8)
    for (const [path, { role, rest }] of ADMIN)
      expect([path, role !== undefined, rest]).toEqual([path, true, undefined])
  })

  it('responds with 404 to guests, players and API keys, and an operator’s procedure also to moderators', async () => {
    const scopes = ['market', 'read', 'trade', 'reset', 'talk']
    const { key } = (await mod.post('/api/keys', { name: 'everything', scopes })).json()
    for (const [path, { type, role }] of ADMIN) {
      const call = (visitor: Visitor, headers: Record<string, string> = {}) =>
        type === 'query' ? visitor.get(`/trpc/${path}`, headers) : visitor.post(`/trpc/${path}`, { json: {} }, headers)
      const answers = [
        ...[await call(server.visitor()), await call(rude)],
        await call(server.visitor(), { authorization: `Bearer ${key}` }),
        ...(role === 'operator' ? [await call(mod)] : []),
      ]
      const told = answers.map((answer) => [path, answer.statusCode, answer.json().error?.json.message])
      expect(told).toEqual(answers.map(() => [path, 404, 'There is nothing at this address.']))
    }
  })

  it('needs a proof of the second factor within the shift, and within ten minutes for an operator’s procedures', async () => {
    const bare = await server.player('bare')
    const id = await bare.id()
    await sql`update users set role = 'moderator' where id = ${id}`.execute(server.db)
    const message = async (visitor: Visitor, path: string) => (await visitor.query(path)).json().error?.json.data.reason
    expect(await message(bare, 'admin.cases')).toBe('SECOND_FACTOR_OFF')
    await sql`insert into totp_secrets (user_id, sealed, created_at, enabled_at) values (${id}, '', now(), now())`.execute(
      server.db,
    )
    // This session has not proved the factor, like one whose cookie was stolen.
    expect(await message(bare, 'admin.cases')).toBe('CONFIRMATION_NEEDED')
    await proveFactor(server, id)
    expect(await message(bare, 'admin.cases')).toBeUndefined()
    server.passTime(11 * 60_000)
    expect(await message(boss, 'admin.log')).toBe('CONFIRMATION_NEEDED')
    expect(await message(boss, 'admin.cases')).toBeUndefined()
    server.passTime(12 * 3_600_000)
    expect(await message(bare, 'admin.cases')).toBe('CONFIRMATION_NEEDED')
    for (const visitor of [mod, second, boss]) await proveFactor(server, await visitor.id())
  })
})

describe('reports', () => {
  it('of one thing form one case, and a player’s second report does not count', async () => {
    const id = await write('Everybody reports these words here')
    const angry = await server.player('angry')
    for (const by of [angry, angry, undefined, undefined]) expect((await report(id, 'post', by)).statusCode).toBe(201)
    const found = await findCase(id)
    expect([found.reports, found.words]).toEqual([3, 'Everybody reports these words here'])
    // The case keeps the words when the writer deletes the post.
    await rude.raw('DELETE', `/api/talk/${id}`, '')
    expect((await findCase(id)).words).toBe('Everybody reports these words here')
    expect((await decide(id, 'dismiss')).statusCode).toBe(200)
    expect((await angry.get('/api/reports')).json()).toMatchObject([{ kind: 'post', id, outcome: 'dismiss' }])
    expect((await listCases()).some(({ targetId }) => targetId === id)).toBe(false)
  })

  it('never push a held post off the list, however many there are', async () => {
    const held = await write('what a fucking long queue this will be')
    const names = Array.from({ length: 60 }, (_, index) => sql`('name', ${1_000_000 + index}, 'A name', 3, now())`)
    await sql`insert into cases (kind, target_id, words, reports, opened_at) values ${sql.join(names)}`.execute(
      server.db,
    )
    const cases = await listCases()
    expect([cases.length, cases.some(({ targetId }) => targetId === held)]).toEqual([50, true])
    await sql`delete from cases where target_id >= 1000000`.execute(server.db)
    await decide(held, 'dismiss')
  })

  it('are accepted only for tokens, names and pictures that exist', async () => {
    expect((await report(tokenId, 'token')).statusCode).toBe(201)
    expect((await report(rudeId, 'name')).statusCode).toBe(201)
    expect((await report(rudeId, 'picture')).statusCode).toBe(404)
    expect((await report(99_999, 'token')).statusCode).toBe(404)
    expect((await report(99_999, 'name')).statusCode).toBe(404)
    expect((await report(99_999)).statusCode).toBe(404)
    expect((await decide(rudeId, 'hide')).statusCode).toBe(400)
    expect((await decide(rudeId, 'dismiss')).statusCode).toBe(200)
  })
})

describe('a decision', () => {
  it.each([
    ['a post', 'dismiss', 'Nothing to see here but the weather', true],
    ['a post', 'hide', 'Whoever reads this buys at the top', true],
    ['a held post', 'hide', 'what a fucking shame for those who bought', false],
    ['a held post', 'delete', 'nobody tells me when to fucking sell', false],
  ])('on %s is open again after an undo of %s, and can be decided anew', async (_what, act, text, wasShown) => {
    const id = await write(text)
    if (wasShown) await report(id)
    const { id: caseId } = await findCase(id)
    const first = await decide(id, act)
    expect((await listCases()).some(({ id }) => id === caseId)).toBe(false)
    expect((await mod.mutate('admin.undo', { id: logIdOf(first), reason: 'A mistake' })).statusCode).toBe(200)
    expect([await isShown(id), await findCase(id)]).toMatchObject([wasShown, { id: caseId, outcome: null }])
    expect([(await decide(id, wasShown ? 'dismiss' : 'release')).statusCode, await isShown(id)]).toEqual([200, true])
  })

  it('is not reopened by an undo if the same thing has been reported again', async () => {
    const id = await write()
    await report(id)
    const first = await decide(id, 'dismiss')
    await report(id, 'post', await server.player())
    const { id: caseId } = await findCase(id)
    expect((await mod.mutate('admin.undo', { id: logIdOf(first), reason: 'A mistake' })).statusCode).toBe(200)
    expect((await listCases()).filter(({ targetId }) => targetId === id)).toMatchObject([{ id: caseId }])
  })

  it('to warn the writer of a held post also hides the post', async () => {
    const id = await write('nobody asked for a fucking warning')
    const warned = await decide(id, 'warn')
    const post = await server.db.selectFrom('posts').select('state').where('id', '=', id).executeTakeFirst()
    expect(post).toEqual({ state: 'hidden' })
    await mod.mutate('admin.undo', { id: logIdOf(warned), reason: 'Enough' })
  })

  it('leaves one open case if it is undone while the same thing is reported again', async () => {
    for (let round = 0; round < MEETINGS; round++) {
      const id = await write()
      await report(id)
      const [dismissed, reporter] = [await decide(id, 'dismiss'), await server.player()]
      const undoing = mod.mutate('admin.undo', { id: logIdOf(dismissed), reason: 'A mistake' })
      const met = await Promise.all([undoing, report(id, 'post', reporter)])
      expect(met.map(({ statusCode }) => statusCode)).toEqual([200, 201])
      expect((await listCases()).filter(({ targetId }) => targetId === id)).toHaveLength(1)
      await decide(id, 'dismiss')
    }
  })

  it('can be undone only once by two moderators at the same moment', async () => {
    for (let round = 0; round < MEETINGS; round++) {
      const id = await write()
      await report(id)
      const hidden = logIdOf(await decide(id, 'hide'))
      const undo = (by: Visitor) => by.mutate('admin.undo', { id: hidden, reason: 'A mistake' })
      const met = await Promise.all([undo(mod), undo(second)])
      expect(met.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404])
      expect(await isShown(id)).toBe(true)
      await decide(id, 'dismiss')
    }
  })

  it('notifies whoever reported the post, and the post’s writer', async () => {
    const reporter = await server.player()
    const bystander = await server.player()
    const id = await write()
    await report(id, 'post', reporter)
    await decide(id, 'hide')
    const read = async (visitor: Visitor) =>
      (await visitor.get('/api/notices')).json().news.map((one: { moderation: unknown }) => one.moderation)
    expect(await read(reporter)).toEqual([{ act: 'hide', about: 'post', isReport: true }])
    expect((await read(rude))[0]).toEqual({ act: 'hide', about: 'post', isReport: false })
    expect(await read(bystander)).toEqual([])
  })

  it('is made once, by one moderator, and never about that moderator', async () => {
    const id = await write()
    await report(id)
    const { id: caseId } = await findCase(id)
    const both = await Promise.all(
      [mod, second].map((by) => by.mutate('admin.decide', { caseId, act: 'hide', reason: 'House rules' })),
    )
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    const own = (await mod.post('/api/talk', { tokenId, text: 'Moderators say things as well' })).json().id
    await report(own)
    expect((await decide(own, 'dismiss')).statusCode).toBe(403)
    const warned = await decide(own, 'warn', {}, boss)
    expect(warned.statusCode).toBe(200)
    const undo = (by: Visitor) => by.mutate('admin.undo', { id: logIdOf(warned), reason: 'A mistake' })
    const refused = await undo(mod)
    expect([refused.statusCode, refused.json().error.json.message]).toEqual([
      403,
      'This is about you, so someone else must decide it.',
    ])
    expect((await undo(boss)).statusCode).toBe(200)
  })
})

describe('an act, in a case or without one', () => {
  const inCase =
    (kind: 'post' | 'token', act: string, more = {}) =>
    async () => {
      const id = kind === 'post' ? await write() : tokenId
      await report(id, kind)
      if (act === 'delete') await rude.put(`/api/talk/${id}`, { text: EDITED })
      return { id, done: await decide(id, act, more) }
    }
  const alone = (path: string, input: object) => async () => ({
    id: 0,
    done: await mod.mutate(path, { reason: 'House rules', ...input }),
  })
  const EDITED = 'These words were edited after the report'
  const readText = async (id: number) =>
    (await server.db.selectFrom('posts').select('text').where('id', '=', id).executeTakeFirst())?.text
  const talk = async () => (await rude.post('/api/talk', { tokenId, text: sayNew() })).statusCode
  const readWarning = async () => (await rude.get('/api/auth/user')).json().warning
  const readPlayer = async () => (await readData(mod, 'admin.findPlayers', { search: 'rude' }))[0]
  const isMuted = async () => [(await readPlayer()).mutedUntil !== null, await talk()]
  const readStanding = async () => [(await readPlayer()).standing, await talk()]
  const readToken = async () => (await server.visitor().get(`/api/talk?tokenId=${tokenId}`)).statusCode
  const minutes = { minutes: 60 }
  const hideToken = () => alone('admin.hideToken', { tokenId, isHidden: true })()
  const act =
    (wish: string, more = {}) =>
    () =>
      alone('admin.act', { userId: rudeId, act: wish, ...more })()

  it.each<[string, () => ReturnType<ReturnType<typeof inCase>>, (id: number) => Promise<unknown>, unknown, unknown]>([
    ['hides a post', inCase('post', 'hide'), isShown, false, true],
    ['deletes words', inCase('post', 'delete'), readText, '', EDITED],
    ['mutes a writer and hides the post', inCase('post', 'mute', minutes), isShown, false, true],
    ['mutes a writer', inCase('post', 'mute', minutes), isMuted, [true, 403], [false, 201]],
    ['mutes a player', act('mute', minutes), isMuted, [true, 403], [false, 201]],
    ['warns a writer and leaves the post', inCase('post', 'warn'), isShown, true, true],
    ['warns a writer', inCase('post', 'warn'), readWarning, 'House rules', null],
    ['warns a player', act('warn'), readWarning, 'House rules', null],
    ['suspends a writer', inCase('post', 'suspend'), readStanding, ['suspended', 403], ['active', 201]],
    ['suspends a player', act('suspend'), readStanding, ['suspended', 403], ['active', 201]],
    ['hides a reported token', inCase('token', 'hide'), readToken, 404, 200],
    ['hides a token', hideToken, readToken, 404, 200],
  ])('%s, until it is undone', async (_what, perform, read, felt, before) => {
    const { id, done } = await perform()
    expect([done.statusCode, await read(id)]).toEqual([200, felt])
    const undo = { id: logIdOf(done), reason: 'A mistake' }
    expect((await mod.mutate('admin.undo', undo)).statusCode).toBe(200)
    expect(await read(id)).toEqual(before)
    expect((await mod.mutate('admin.undo', undo)).statusCode).toBe(404)
    if (id !== 0) await decide(id, 'dismiss')
  })

  it('that mutes applies in rooms too, and needs a duration', async () => {
    const { id: fairId } = await makeRoom(rude)
    const { id, done } = await inCase('post', 'mute', minutes)()
    expect((await rude.post('/api/talk', { fairId, text: 'Am I muted by now?' })).statusCode).toBe(403)
    await mod.mutate('admin.undo', { id: logIdOf(done), reason: 'Enough' })
    expect((await decide(id, 'mute')).statusCode).toBe(400)
    for (const wrong of [act('mute'), act('warn', minutes)]) expect((await wrong()).done.statusCode).toBe(400)
    await decide(id, 'dismiss')
  })
})

describe('a suspended or frozen moderator or operator', () => {
  it.each(['suspended', 'frozen'])('can neither read nor do anything as such: %s', async (standing) => {
    for (const role of ['moderator', 'operator'] as const) {
      const judge = await moderator(server, `${standing}-${role}`, role)
      await sql`update users set standing = ${standing} where id = ${await judge.id()}`.execute(server.db)
      server.app.accounts.sessions.cache.clear()
      for (const [path, { type, role: needed }] of ADMIN) {
        const answer = await (type === 'query' ? judge.query(path) : judge.mutate(path, {}))
        const isThere = needed === 'moderator' || role === 'operator'
        expect([path, answer.json().error?.json.data.reason]).toEqual([
          path,
          isThere ? `ACCOUNT_${standing.toUpperCase()}` : 'NOT_FOUND',
        ])
      }
    }
  })
})

describe('an account with a role', () => {
  const WHY = { reason: 'House rules' }
  const acts = [['warn'], ['mute', { minutes: 60 }], ['suspend']] as const
  /** Warns and suspends an account with an operator's commands, and returns the ids of the log rows. */
  const findRows = async (userId: number, name: string) => {
    await command('warn', name, 'Be careful')
    await command('suspend', name)
    const rows = server.db.selectFrom('moderation_log').select('id').where('concerned_id', '=', userId)
    return (await rows.where('act', 'in', ['warn', 'suspend']).execute()).map(({ id }) => id)
  }
  /**
   * Returns for each mutation of moderators the inputs that act on an account. There are none if it acts only on
   * things.
   */
  const calls: Readonly<Record<string, (userId: number, name: string) => Promise<object[]>>> = {
    'admin.decide': async (userId) => {
      await sql`update users set profile_picture_url = '/pictures/me.webp' where id = ${userId}`.execute(server.db)
      await report(userId, 'name')
      const { id } = await findCase(userId)
      await report(userId, 'picture')
      const picture = (await listCases()).find((one) => one.targetId === userId && one.kind === 'picture')
      return [...acts.map(([act, more]) => ({ caseId: id, act, ...more })), { caseId: picture?.id, act: 'hide' }]
    },
    'admin.act': async (userId) =>
      [...acts, ['note'] as const, ['unsuspend'] as const].map(([act, more]) => ({ userId, act, ...more })),
    'admin.undo': async (userId, name) => {
      const hidden = {
        kind: 'picture',
        targetId: userId,
        act: 'hide',
        actor: { userId: null, as: 'moderator' },
      } as const
      const ids = [
        ...(await findRows(userId, name)),
        await server.db
          .transaction()
          .execute((tx) => appendAct(tx, { ...byCommand(), ...aboutPlayer(userId as never), ...hidden })),
      ]
      return ids.map((id) => ({ id }))
    },
    'admin.answerAppeal': async (userId, name) => {
      const ids = await findRows(userId, name)
      for (const log_id of ids) {
        const appeal = { log_id, user_id: userId, words: 'No', created_at: new Date() } as never
        await server.db.insertInto('appeals').values(appeal).execute()
      }
      return ids.flatMap((id) => [true, false].map((isGranted) => ({ id, isGranted })))
    },
    'admin.hideToken': async () => [],
  }

  it('is judged only by operators, who also decide about undos and appeals', async () => {
    const byModerators = ADMIN.filter(([, { type, role }]) => type === 'mutation' && role === 'moderator')
    expect(Object.keys(calls).sort()).toEqual(byModerators.map(([path]) => path).sort())
    for (const role of ['moderator', 'operator'] as const) {
      for (const [path, makeInputs] of Object.entries(calls)) {
        const name = `${role}-${path.toLowerCase().replace('.', '-')}`
        const userId = await (await moderator(server, name, role)).id()
        for (const input of await makeInputs(userId, name)) {
          const answer = await mod.mutate(path, { ...input, ...WHY })
          const { data, message } = answer.json().error.json
          expect([path, input, data.reason, message]).toEqual([
            ...[path, input, 'NOT_YOURS'],
            'Only operators can decide about moderators and operators.',
          ])
        }
      }
    }
    await server.db.deleteFrom('appeals').execute()
    await sql`update cases set decided_at = now(), outcome = 'dismiss' where kind = 'picture'`.execute(server.db)
    const peer = await (await moderator(server, 'peer')).id()
    for (const [act, more] of [...acts, ['unsuspend'] as const])
      expect((await boss.mutate('admin.act', { userId: peer, act, ...more, ...WHY })).statusCode).toBe(200)
    const chief = await (await moderator(server, 'chief', 'operator')).id()
    for (const [act, more] of acts) {
      const refused = await boss.mutate('admin.act', { userId: chief, act, ...more, ...WHY })
      expect(refused.json().error.json.message).toBe('Only a command can change an operator’s account.')
    }
    const [warned = 0] = await findRows(chief, 'chief')
    expect((await boss.mutate('admin.undo', { id: warned, ...WHY })).statusCode).toBe(200)
  })
})

describe('a suspension by an operator', () => {
  it.each(['a page', 'the command'])('can be ended only by operators if it was made with %s', async (by) => {
    const name = by.replace(' ', '-')
    const player = await server.player(name)
    const userId = await player.id()
    const act = (judge: Visitor, what: string) =>
      judge.mutate('admin.act', { userId, act: what, reason: 'House rules' })
    if (by === 'a page') await act(boss, 'suspend')
    else await command('suspend', name)
    const { id } = (await readData(boss, 'admin.playerLog', { userId }))[0]
    await act(mod, 'suspend')
    await player.post(`/api/reports/acts/${id}/appeal`, { words: 'I did nothing' })
    const why = { id, reason: 'A mistake' }
    const ends = [
      await act(mod, 'unsuspend'),
      await mod.mutate('admin.undo', why),
      await mod.mutate('admin.answerAppeal', { ...why, isGranted: true }),
    ]
    const told = ends.map((answer) => [answer.statusCode, answer.json().error.json.message])
    expect(told).toEqual(ends.map(() => [403, 'An operator did this, so only operators can undo it.']))
    expect((await act(boss, 'unsuspend')).statusCode).toBe(200)
    await act(mod, 'suspend')
    expect((await act(second, 'unsuspend')).statusCode).toBe(200)
    await server.db.deleteFrom('appeals').execute()
  })
})

describe('an undo leaves', () => {
  const act = async (what: string, more: object = {}, by = mod) =>
    logIdOf(await by.mutate('admin.act', { userId: rudeId, act: what, reason: 'House rules', ...more }))
  const undo = (id: number) => second.mutate('admin.undo', { id, reason: 'A mistake' })

  it('a freeze that came after the suspension', async () => {
    const suspended = await act('suspend')
    await sql`update users set standing = 'frozen', standing_reason = 'Theft' where id = ${rudeId}`.execute(server.db)
    expect((await undo(suspended)).statusCode).toBe(403)
    const { standing, standing_reason } = await server.db
      .selectFrom('users')
      .select(['standing', 'standing_reason'])
      .where('id', '=', rudeId)
      .executeTakeFirstOrThrow()
    expect([standing, standing_reason]).toEqual(['frozen', 'Theft'])
    await sql`update users set standing = 'suspended' where id = ${rudeId}`.execute(server.db)
    expect((await undo(suspended)).statusCode).toBe(200)
  })

  it('a second suspension, a longer mute and a newer warning', async () => {
    const [first, last] = [await act('suspend'), await act('suspend', {}, second)]
    await undo(first)
    expect(await readData(mod, 'admin.findPlayers', { search: 'rude' })).toMatchObject([{ standing: 'suspended' }])
    await boss.mutate('admin.act', { userId: rudeId, act: 'unsuspend', reason: 'Enough' })
    expect((await undo(last)).statusCode).toBe(200)
    const [week, hour] = [await act('mute', { minutes: 10_080 }), await act('mute', { minutes: 60 })]
    await undo(hour)
    expect((await rude.post('/api/talk', { tokenId, text: sayNew() })).statusCode).toBe(403)
    await undo(week)
    expect((await rude.post('/api/talk', { tokenId, text: sayNew() })).statusCode).toBe(201)
    const [old, newer] = [await act('warn', { reason: 'The first' }), await act('warn', { reason: 'The second' })]
    const readWarning = async () => (await rude.get('/api/auth/user')).json().warning
    await undo(old)
    expect(await readWarning()).toBe('The second')
    await undo(newer)
    expect(await readWarning()).toBeNull()
    const [stays, goes] = [await act('warn', { reason: 'The third' }), await act('warn', { reason: 'The fourth' })]
    await undo(goes)
    expect(await readWarning()).toBe('The third')
    await undo(stays)
    expect(await readWarning()).toBeNull()
    // The words of a warning are in another table, where they can be erased, and not in the log row itself.
    const { rows } = await sql`select from moderation_log where detail like '%The third%'`.execute(server.db)
    expect(rows).toEqual([])
  })

  it('a post deleted that its writer deleted first', async () => {
    const id = await write('Gone before anybody decided about it')
    await report(id)
    await rude.raw('DELETE', `/api/talk/${id}`, '')
    const deleted = await decide(id, 'delete')
    expect((await undo(logIdOf(deleted))).statusCode).toBe(200)
    expect(await isShown(id)).toBe(false)
    expect((await decide(id, 'release')).statusCode).toBe(200)
    expect(await isShown(id)).toBe(false)
  })

  it.each([
    ['mute', 'mute', [0, 1]],
    ['mute', 'mute', [1, 0]],
    ['hide', 'mute', [0, 1]],
    ['mute', 'suspend', [0, 1]],
    ['hide', 'delete', [0, 1]],
    ['hide', 'delete', [1, 0]],
  ] as const)('a post hidden by a first %s and a second %s until both are undone: %s', async (one, two, order) => {
    const id = await write()
    const ids: number[] = []
    for (const wish of [one, two]) {
      // After the first act, only the writer still sees the post and can report it.
      expect((await report(id, 'post', ids.length === 0 ? undefined : rude)).statusCode).toBe(201)
      ids.push(logIdOf(await decide(id, wish, wish === 'mute' ? { minutes: 60 } : {})))
    }
    const isShownAfter: boolean[] = []
    for (const place of order) {
      expect((await undo(ids[place] ?? 0)).statusCode).toBe(200)
      isShownAfter.push(await isShown(id))
    }
    expect(isShownAfter).toEqual([false, true])
    await decide(id, 'dismiss')
  })

  const isSuspended = async () =>
    (await readData(mod, 'admin.findPlayers', { search: 'rude' }))[0].standing === 'suspended'
  const isHidden = async (id = tokenId) => (await server.visitor().get(`/api/talk?tokenId=${id}`)).statusCode === 404
  const hideToken = async (id = tokenId) =>
    logIdOf(await boss.mutate('admin.hideToken', { tokenId: id, isHidden: true, reason: 'House rules' }))

  it.each([
    ['a player suspended', () => act('suspend'), isSuspended, [0, 1]],
    ['a player suspended', () => act('suspend'), isSuspended, [1, 0]],
    ['a token hidden', () => hideToken(), () => isHidden(), [0, 1]],
    ['a token hidden', () => hideToken(), () => isHidden(), [1, 0]],
  ] as const)('%s twice until both acts are undone', async (_what, doIt, isSo, order) => {
    const ids = [await doIt(), await doIt()]
    const isSoAfter: boolean[] = []
    for (const place of order) {
      expect((await undo(ids[place] ?? 0)).statusCode).toBe(200)
      isSoAfter.push(await isSo())
    }
    expect(isSoAfter).toEqual([true, false])
  })

  it('a picture hidden until each act on it is undone, and a picture that was chosen since', async () => {
    const wear = (url: string) =>
      sql`update users set profile_picture_url = ${url} where id = ${rudeId}`.execute(server.db)
    const worn = async () =>
      (await server.db.selectFrom('users').select('profile_picture_url').where('id', '=', rudeId).execute())[0]
        ?.profile_picture_url
    const decidePicture = async (what: string) => {
      const caseId = (await listCases()).find(({ kind }) => kind === 'picture')?.id
      return await mod.mutate('admin.decide', { caseId, act: what, reason: 'House rules' })
    }
    const hide = async (url: string) => {
      await wear(url)
      await report(rudeId, 'picture')
      return logIdOf(await decidePicture('hide'))
    }
    await hide('/pictures/rude.webp')
    const [first, again] = [await hide('/pictures/fine.webp'), await hide('/pictures/fine.webp')]
    const wornAfter: unknown[] = []
    for (const id of [first, again]) {
      expect((await undo(id)).statusCode).toBe(200)
      wornAfter.push(await worn())
    }
    expect(wornAfter).toEqual([null, '/pictures/fine.webp'])
    const last = await hide('/pictures/old.webp')
    await wear('/pictures/chosen-since.webp')
    expect([(await undo(last)).statusCode, await worn()]).toEqual([200, '/pictures/chosen-since.webp'])
    await decidePicture('dismiss')
  })

  it('a suspension and a hidden token that are not in the log', async () => {
    const old = await server.player()
    const [userId, oldToken] = [await old.id(), await old.launch()]
    await sql`update users set standing = 'suspended' where id = ${userId}`.execute(server.db)
    await sql`update tokens set hidden_at = now() where id = ${oldToken}`.execute(server.db)
    for (const doIt of [() => act('suspend', { userId }), () => hideToken(oldToken)]) {
      for (const id of [await doIt(), await doIt()]) expect((await undo(id)).statusCode).toBe(200)
    }
    const { standing } = await server.db
      .selectFrom('users')
      .select('standing')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    expect([standing, await isHidden(oldToken)]).toEqual(['suspended', true])
  })
})

describe('an appeal', () => {
  it('is decided once, by another moderator, and undoes the act if it is granted', async () => {
    const id = await write()
    await report(id)
    const logId = logIdOf(await decide(id, 'hide'))
    const own = (await rude.get('/api/reports/acts')).json()[0]
    expect(own).toMatchObject({ id: logId, act: 'hide', reason: 'House rules', appeal: null, isUndone: false })
    // The player concerned does not see the moderator's name.
    expect(JSON.stringify(own)).not.toContain('mod-one')
    const appeal = (visitor: Visitor) =>
      visitor.post(`/api/reports/acts/${logId}/appeal`, { words: 'I said it only once' })
    expect((await appeal(second)).statusCode).toBe(404)
    expect((await appeal(rude)).statusCode).toBe(200)
    expect((await appeal(rude)).statusCode).toBe(409)
    const answer = (by: Visitor) => by.mutate('admin.answerAppeal', { id: logId, isGranted: true, reason: 'Right' })
    expect((await answer(mod)).statusCode).toBe(403)
    expect((await rude.mutate('admin.answerAppeal', { id: logId, isGranted: true, reason: 'Me' })).statusCode).toBe(404)
    expect(await readData(second, 'admin.appeals')).toMatchObject([{ id: logId, isOwn: false }])
    expect((await answer(second)).statusCode).toBe(200)
    expect((await answer(second)).statusCode).toBe(404)
    expect(await isShown(id)).toBe(true)
    expect((await rude.get('/api/reports/acts')).json()[0]).toMatchObject({ appeal: 'granted', isUndone: true })
  })

  it('is rejected after thirty days', async () => {
    const id = await write()
    await report(id)
    const logId = logIdOf(await decide(id, 'hide'))
    await sql`update sessions set expires_at = '2099-01-01'`.execute(server.db)
    server.passTime(31 * 24 * 3_600_000)
    const late = await rude.post(`/api/reports/acts/${logId}/appeal`, { words: 'I was away' })
    expect([late.statusCode, late.body]).toEqual([409, 'You can appeal a decision once, within 30 days.'])
    for (const visitor of [mod, second, boss]) await proveFactor(server, await visitor.id())
  })
})

describe('the log', () => {
  it('has every act with its words, and an unbroken chain', async () => {
    const { entries, brokenAt } = await readData(boss, 'admin.log', {})
    expect(brokenAt).toBeNull()
    expect(entries[0].id).toBe((await server.db.selectFrom('moderation_log').select('id').execute()).length)
    expect(entries.map(({ act }: { act: string }) => act)).toEqual(expect.arrayContaining(['hide', 'undo', 'mute']))
    expect(entries.some((entry: { actor: { id: number } | null }) => entry.actor?.id === modId)).toBe(true)
  })

  it.each([
    ['who acted', "as_role = 'host'"],
    ['what was done', "act = 'forged'"],
    ['what an undo needs', `detail = '{"status":"active"}'`],
  ])('rejects updates and deletes, and shows a forced change of %s', async (_of, forged) => {
    const log = server.db.selectFrom('moderation_log').select(['act', 'as_role', 'detail']).where('id', '=', 2)
    const before = await log.executeTakeFirstOrThrow()
    const change = sql`update moderation_log set ${sql.raw(forged)} where id = 2`
    await expect(change.execute(server.db)).rejects.toThrow('append-only')
    await expect(sql`delete from moderation_log`.execute(server.db)).rejects.toThrow('append-only')
    await expect(sql`truncate moderation_log cascade`.execute(server.db)).rejects.toThrow('append-only')
    await server.db.transaction().execute(async (tx) => {
      await sql`alter table moderation_log disable trigger refuse_change`.execute(tx)
      await change.execute(tx)
      expect(await findBreak(tx)).toBe(2)
      expect(await findBreak(tx, { after: 1, through: 3 })).toBe(2)
      await tx.updateTable('moderation_log').set(before).where('id', '=', 2).execute()
      expect(await findBreak(tx)).toBeNull()
      await sql`alter table moderation_log enable trigger refuse_change`.execute(tx)
    })
  })

  it('shows that its newest row was deleted, also after the next act', async () => {
    const undone = new Error('undone')
    const [{ id }] = (await readData(boss, 'admin.log', {})).entries
    const cut = server.db.transaction().execute(async (tx) => {
      await sql`alter table moderation_log disable trigger refuse_change`.execute(tx)
      await tx.deleteFrom('moderation_words').where('log_id', '=', id).execute()
      await tx.deleteFrom('moderation_log').where('id', '=', id).execute()
      expect([await findBreak(tx), await findBreak(tx, { after: id - 2 })]).toEqual([id, id])
      await appendAct(tx, { ...byCommand(), ...aboutPlayer(rudeId as never), act: 'note' })
      expect(await findBreak(tx)).toBe(id)
      throw undone
    })
    await expect(cut).rejects.toBe(undone)
    expect(await findBreak(server.db)).toBeNull()
  })

  it('shows changed words on their page and in the audit, but not erased words', async () => {
    await sql`update moderation_words set words = 'something else' where log_id = 3`.execute(server.db)
    expect(await findBreak(server.db)).toBe(3)
    const readBreak = async (before?: number) => (await readData(boss, 'admin.log', { before })).brokenAt
    // A page checks only its own rows. Of these three pages, only the second one contains row 3.
    expect([await readBreak(), await readBreak(4), await readBreak(3)]).toEqual([null, 3, null])
    expect(await runAudit(server.database)).toMatchObject({
      differences: 1,
      shown: ['moderation log: row 3 was changed or is missing'],
    })
    await sql`delete from moderation_words where log_id = 3`.execute(server.db)
  })

  it('loses its words after a year, but its chain stays unbroken', async () => {
    const now = server.app.platform.clock.now()
    const count = async () => (await server.db.selectFrom('moderation_words').select('log_id').execute()).length
    const before = await count()
    await deleteOldRows(server.db, now)
    expect(await count()).toBe(before)
    await deleteOldRows(server.db, new Date(now.getTime() + 366 * 24 * 3_600_000))
    expect([await count(), await findBreak(server.db)]).toEqual([0, null])
    const { rows } = await sql`select from cases where decided_at is not null and words <> ''`.execute(server.db)
    expect(rows).toEqual([])
  })

  it('has an unbroken chain when many acts happen at once', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => write()))
    await Promise.all(ids.map((id) => report(id)))
    // A case about a name or a token may have the id of one of the posts as its target id.
    const cases = (await listCases()).filter(({ kind, targetId }) => kind === 'post' && ids.includes(targetId))
    const answers = await Promise.all(
      cases.map(({ id }) => mod.mutate('admin.decide', { caseId: id, act: 'dismiss', reason: 'Fine' })),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(new Array(8).fill(200))
    expect(await findBreak(server.db)).toBeNull()
  })
})

describe('acts at the same moment', () => {
  const undo = (id: number) => second.mutate('admin.undo', { id, reason: 'A mistake' })
  /** Waits until each of the calls either waits for a lock or has got its response. */
  const letWait = async (...calls: ReturnType<typeof undo>[]) => {
    let answered = 0
    const count = () => answered++
    for (const call of calls) call.then(count, count)
    const isEach = async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
           and query ~ '(users|posts|advisory)'`.execute(server.db)
      return rows.length + answered >= calls.length
    }
    await expect.poll(isEach, { timeout: WAIT_MAX_MS }).toBe(true)
    return { answers: Promise.all(calls) }
  }
  const makeWriter = async () => {
    const player = await server.player()
    const id: number = (await player.post('/api/talk', { tokenId, text: sayNew() })).json().id
    await report(id)
    return { player, userId: await player.id(), id }
  }

  it('that grant the appeals of two acts on one post show the post again', async () => {
    const { player, id } = await makeWriter()
    const hide = async () => {
      await report(id, 'post', player)
      const logId = logIdOf(await decide(id, 'hide'))
      await player.post(`/api/reports/acts/${logId}/appeal`, { words: 'I said it only once' })
      return logId
    }
    const [first, again] = [await hide(), await hide()]
    const grant = (logId: number) =>
      second.mutate('admin.answerAppeal', { id: logId, isGranted: true, reason: 'Right' })
    const { answers } = await server.db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${LOCK_IDS.moderationLog})`.execute(tx)
      return await letWait(grant(first), grant(again))
    })
    const refusals = (await answers).filter(({ statusCode }) => statusCode !== 200)
    expect(refusals.map(({ body }) => body)).toEqual([])
    expect(await isShown(id)).toBe(true)
  })

  it('lock the writer’s row before the post’s row', async () => {
    const { userId, id } = await makeWriter()
    const { answers } = await server.db.transaction().execute(async (tx) => {
      // Locks the writer's row and then the post's row, as an edit does.
      await sql`select from users where id = ${userId} for no key update`.execute(tx)
      const waiting = await letWait(decide(id, 'suspend'))
      await sql`select from posts where id = ${id} for no key update`.execute(tx)
      return waiting
    })
    expect((await answers).map(({ statusCode }) => statusCode)).toEqual([200])
  })

  it('restore no words of an account that is deleted meanwhile', async () => {
    const { userId, id } = await makeWriter()
    const deleted = logIdOf(await decide(id, 'delete'))
    const { answers } = await server.db.transaction().execute(async (tx) => {
      await sql`update users set deleted_at = now() where id = ${userId}`.execute(tx)
      return await letWait(undo(deleted))
    })
    expect((await answers).map(({ statusCode }) => statusCode)).toEqual([200])
    const post = await server.db.selectFrom('posts').select(['state', 'text']).where('id', '=', id).executeTakeFirst()
    expect(post).toEqual({ state: 'deleted', text: '' })
  })

  it('leave a deleted account as it is', async () => {
    const { userId, id } = await makeWriter()
    const suspended = await mod.mutate('admin.act', { userId, act: 'suspend', reason: 'House rules' })
    await sql`update users set deleted_at = now() where id = ${userId}`.execute(server.db)
    const read = async () => {
      const { rows } = await sql`
        select standing, warning, (select count(*)::int from account_events where user_id = u.id) as events,
               (select count(*)::int from mutes where user_id = u.id) as mutes
          from users u where id = ${userId}`.execute(server.db)
      return rows
    }
    const before = await read()
    for (const [act, more] of [['warn'], ['suspend'], ['mute', { minutes: 60 }]] as const)
      expect([act, (await decide(id, act, more)).statusCode]).toEqual([act, 400])
    expect((await undo(logIdOf(suspended))).statusCode).toBe(200)
    expect(await read()).toEqual(before)
    expect([(await decide(id, 'hide')).statusCode, await isShown(id)]).toEqual([200, false])
  })
})

/** Runs an operator's command, and returns its output. */
const command = async (...args: string[]) => {
  const lines: string[] = []
  await run({ openDatabase: async () => server.database, say: (line: string) => lines.push(line) } as never, args)
  return lines.join()
}
const readReason = async (visitor: Visitor, path = 'admin.me') =>
  (await visitor.query(path)).json().error?.json.data.reason
const readRole = async (id: number) =>
  (await server.db.selectFrom('users').select('role').where('id', '=', id).executeTakeFirst())?.role

describe('roles', () => {
  it('are given to players with a second factor by operators, but the role of operators only by the command', async () => {
    const helper = await server.player('helper')
    const id = await helper.id()
    const give = (role: string) => boss.mutate('admin.setRole', { userId: id, role, reason: 'Has time' })
    expect((await give('operator')).statusCode).toBe(400)
    expect((await give('moderator')).json().error.json.data.reason).toBe('SECOND_FACTOR_OFF')
    await expect(command('role', 'helper', 'operator')).rejects.toThrow('has no second factor')
    const { app } = await enableTotp(server, helper)
    expect((await give('moderator')).statusCode).toBe(200)
    // Neither the login nor the new app is a proof in this session.
    expect(await readReason(helper)).toBe('CONFIRMATION_NEEDED')
    await confirmWithCode(server, helper, app)
    expect(await readReason(helper)).toBeUndefined()
    expect(await command('role', 'helper', 'operator')).toMatch(/is now an operator/)
    // The page cannot change an operator's role.
    expect((await give('player')).statusCode).toBe(404)
    await expect(command('role', 'helper', 'king')).rejects.toThrow('There is no role king')
    // The player cannot remove the last factor. An operator's command can, and that also ends the role.
    const off = await helper.post('/api/account/second-factor/disable', {}, { accept: 'application/problem+json' })
    expect([off.statusCode, off.json().code]).toEqual([409, 'SECOND_FACTOR_OFF'])
    expect(await command('remove-factors', 'helper')).toContain('Their role ended')
    expect(await readRole(id)).toBe('player')
  })

  it.each([
    ['app', (of: Visitor) => enableTotp(server, of)],
    ['passkey', (of: Visitor) => addPasskey(of)],
  ] as const)('end if the first factor is added with only the password: %s', async (what, add) => {
    const owner = await server.player(`owner-${what}`)
    const id = await owner.id()
    await sql`update users set role = 'operator' where id = ${id}`.execute(server.db)
    expect(await readReason(owner)).toBe('SECOND_FACTOR_OFF')
    server.passTime(11 * 60_000)
    await owner.post('/api/account/confirm', { password: 'secret-1' })
    await add(owner)
    expect([await readReason(owner), await readRole(id)]).toEqual(['NOT_FOUND', 'player'])
    for (const visitor of [mod, second, boss]) await proveFactor(server, await visitor.id())
    const [{ act, concerned, reason }] = (await readData(boss, 'admin.log', {})).entries
    expect([act, concerned.id, reason]).toEqual(['role-player', id, 'The account had no second factor'])
  })

  it('let moderators see what was done about others, but not by whom', async () => {
    const read = async (reader: Visitor) => await readData(reader, 'admin.playerLog', { userId: rudeId })
    await boss.mutate('admin.look', { userId: rudeId, at: 'sessions', reason: 'A report' })
    const [byMod, byBoss] = [await read(mod), await read(boss)]
    expect(byBoss.map(({ act }: { act: string }) => act)).toContain('look-sessions')
    expect(byBoss.filter(({ actor }: { actor: unknown }) => actor !== null)).not.toEqual([])
    expect(byMod).toEqual(
      byBoss.flatMap((entry: { act: string }) => (entry.act.startsWith('look-') ? [] : [{ ...entry, actor: null }])),
    )
    expect((await mod.query('admin.playerLog', { userId: modId })).statusCode).toBe(403)
  })

  it('find players together with the number of acts about them', async () => {
    const found = await readData(mod, 'admin.findPlayers', { search: 'rude' })
    expect(found).toMatchObject([{ id: rudeId, username: 'rude', standing: 'active', role: 'player' }])
    expect(found[0].acts).toBeGreaterThan(3)
  })
})
