import type { UserId } from '@papermoon/engine'
import { type Kysely, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { chooseMarket } from '../../src/features/fairs/access.ts'
import { voidFair } from '../../src/features/fairs/administer.ts'
import { leaveFair } from '../../src/features/fairs/enter.ts'
import { endFair, openFair } from '../../src/features/fairs/open-fair.ts'
import { watchFair } from '../../src/features/fairs/watch.ts'
import { createFairMarket } from '../support/fair-market.ts'
import { changeFair, makeRoom, openRoom } from '../support/fairs.ts'
import { ageAccount } from '../support/moderators.ts'
import { createTestServer, type TestServer, type Visitor } from '../support/test-server.ts'
import { WAIT_MAX_MS } from '../support/wait.ts'

let server: TestServer
let host: Visitor
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server?.close())
beforeEach(async () => {
  host = await server.player()
})
afterEach(() => sql`update fairs set state = 'void' where id > 1 and state in ('lobby', 'open')`.execute(server.db))

const create = (settings: object, by = host) =>
  by.post('/api/fairs', { kind: 'room', name: 'Friday evening', ...settings }, { accept: 'application/json' })
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
const findId = async (visitor: Visitor): Promise<UserId> => (await visitor.get('/api/auth/user')).json().id

/** Adds fairs in the lobby directly to the database, past the limits of a host. */
async function addFairs(count: number, kind: 'arena' | 'cup' | 'room', hostId: UserId | null, startsIn = '1 hour') {
  await sql`
    insert into fairs (kind, name, host_id, stake, lobby_at, starts_at, ends_at, bell_window_s, secret, entrants_max, bots)
    select ${kind}, 'Planned', ${hostId}, 100, now(), now() + ${startsIn}::interval, now() + interval '2 days', 60,
           ${Buffer.alloc(32)}, 500, ${kind === 'room' ? 5 : 0} from generate_series(1, ${count}::int)`.execute(
    server.db,
  )
}

describe('the list of fairs', () => {
  it('starts with the fairs of the house and one’s own fairs, even if there are many cups', async () => {
    const other = await server.player()
    await addFairs(110, 'cup', await findId(other), '1 minute')
    await addFairs(1, 'arena', null, '20 hours')
    const { id: own } = await makeRoom(host)
    const { upcoming } = (await host.get('/api/fairs')).json()
    expect(upcoming).toHaveLength(100)
    expect(upcoming.slice(0, 3)).toMatchObject([{ kind: 'arena' }, { id: own }, { kind: 'cup' }])
    expect((await server.visitor().get('/api/fairs')).json().upcoming[0]).toMatchObject({ kind: 'arena' })
  })

  it('omits cups that never opened, and cups that an operator made void', async () => {
    const ids: number[] = []
    for (const act of ['end', 'start']) {
      const { id } = (await create({ kind: 'cup', name: 'Buy at evil.example' })).json().fair
      expect((await changeFair(host, id, { act })).statusCode).toBe(200)
      ids.push(id)
    }
    await server.db.transaction().execute((tx) => voidFair(tx, ids[1] ?? 0, 'An advertisement.'))
    const { running, ended } = (await server.visitor().get('/api/fairs')).json()
    expect([...running, ...ended].filter(({ id }: { id: number }) => ids.includes(id))).toEqual([])
    expect((await server.visitor().get(`/api/fairs/${ids[1]}`)).json()).toMatchObject({ note: 'An advertisement.' })
  })

  it('gets at most ten rooms and cups an hour from a player', async () => {
    const strict = await createTestServer({ env: { RATE_LIMIT: 'on' } })
    onTestFinished(() => strict.close())
    const spammer = await strict.player()
    const answers = []
    for (let made = 0; made < 11; made++) {
      const answer = await create({ kind: 'cup' }, spammer)
      answers.push(answer.statusCode)
      if (answer.statusCode === 201) await changeFair(spammer, answer.json().fair.id, { act: 'end' })
    }
    expect(answers).toEqual([...Array(10).fill(201), 429])
  })
})

describe('rooms with bots', () => {
  it('are limited for the whole server, also for two concurrent calls', async () => {
    const others = [await server.player(), await server.player()]
    for (const other of others) await ageAccount(server, other)
    await addFairs(19, 'room', await findId(await server.player()), '50 minutes')
    const answers = await Promise.all(others.map((by) => create({ bots: 10, startsAt: inMinutes(1) }, by)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 422])
    const refused = answers.find(({ statusCode }) => statusCode === 422)
    expect(refused?.json()).toMatchObject({
      code: 'TOO_MANY_FAIRS',
      detail:
        'This server already has 20 rooms with bots, which is the maximum. Please try again when one of them has ended.',
    })
    expect((await create({})).statusCode).toBe(201)
  })

  it('count from an hour before their start; the limit also holds at the start, whether early or on time', async () => {
    await addFairs(20, 'room', await findId(await server.player()), '2 hours')
    for (const [planned, bots, note] of [
      [sql`starts_at = now() + interval '30 minutes'`, 3, null],
      [
        sql`state = 'open', bell_at = ends_at`,
        0,
        'This fair started without bots, because the server had too many rooms with bots.',
      ],
    ] as const) {
      const by = await server.player()
      await ageAccount(server, by)
      const { id } = (await create({ bots: 3 }, by)).json().fair
      await sql`update fairs set ${planned} where name = 'Planned' and state = 'lobby'`.execute(server.db)
      expect((await changeFair(by, id, { act: 'start' })).statusCode).toBe(422)
      await sql`update fairs set starts_at = now() where id = ${id}`.execute(server.db)
      await server.db.transaction().execute((tx) => openFair(tx, id))
      const { rows } = await sql`select state, bots, note from fairs where id = ${id}`.execute(server.db)
      expect(rows).toEqual([{ state: 'open', bots, note }])
    }
  })

  it('are limited to one per host from the first minute on; without bots, a host can create more', async () => {
    expect((await create({ bots: 3 })).statusCode).toBe(201)
    expect((await create({ bots: 3 })).json().detail).toBe(
      'You already host 1 room with bots. Please end one of your fairs first.',
    )
    expect((await create({})).statusCode).toBe(201)
  })

  it('and sandboxes are limited per network, and new accounts can open only half of all sandboxes', async () => {
    const strict = await createTestServer({ env: { RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1' } })
    const make = async (network: number, { isOld = false, bots = 0, isStarted = false } = {}) => {
      const from = { 'x-forwarded-for': `203.0.113.${network}`, accept: 'application/json' }
      const player = await strict.player(`host-${++hosts}`)
      if (isOld) await ageAccount(strict, player)
      if (bots > 0) {
        const startsAt = isStarted ? undefined : inMinutes(1)
        const room = await player.post('/api/fairs', { kind: 'room', name: 'Bots', bots, startsAt }, from)
        return isStarted ? await changeFair(player, room.json().fair.id, { act: 'start' }) : room
      }
      const { key } = (await player.post('/api/keys', { name: 'bot', scopes: ['trade'] })).json()
      const sandbox = { kind: 'sandbox', name: 'My tests' }
      return await strict.visitor().post('/api/fairs', sandbox, { ...from, authorization: `Bearer ${key}` })
    }
    let hosts = 0
    try {
      const { limits } = strict.app.accounts
      const spies = [vi.spyOn(limits, 'spend'), vi.spyOn(limits, 'spendFor')].map((spy) => spy.mockResolvedValue())
      const made = []
      for (const network of [1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3]) made.push(await make(network))
      expect(made.map(({ statusCode }) => statusCode)).toEqual([...Array(5).fill(201), 422, ...Array(5).fill(201), 422])
      const sentence = (what: string) => `${what}, which is the maximum. Please try again when one of them has ended.`
      expect([made[5], made[11]].map((answer) => answer?.json().detail)).toEqual([
        sentence('Your network already has 5 open sandboxes'),
        sentence('New accounts already have 10 open sandboxes on this server'),
      ])
      expect((await make(3, { isOld: true })).statusCode).toBe(201)
      const rooms: Awaited<ReturnType<typeof make>>[] = []
      for (const network of [4, 4, 4, 4, 4, 4, 5]) rooms.push(await make(network, { isOld: true, bots: 3 }))
      expect(rooms.map(({ statusCode }) => statusCode)).toEqual([...Array(5).fill(201), 422, 201])
      const started = []
      for (const network of [4, 6]) started.push(await make(network, { isOld: true, bots: 3, isStarted: true }))
      expect(started.map(({ statusCode }) => statusCode)).toEqual([422, 200])
      await strict.db.transaction().execute((tx) => endFair(tx, rooms[6]?.json().fair.id))
      const { rows } = await sql`select count(distinct made_from)::int as networks from fairs`.execute(strict.db)
      expect(rows).toEqual([{ networks: 5 }])
      for (const spy of spies) spy.mockRestore()
    } finally {
      await strict.close()
    }
  })
})

describe('three cups', () => {
  it('that have started cannot be ended, so a fourth cup must wait for the bell of one of them', async () => {
    await addFairs(3, 'cup', await findId(host))
    const refuse = async () => {
      const answer = await create({ kind: 'cup' })
      expect(answer.json().code).toBe('TOO_MANY_FAIRS')
      return answer.json().detail
    }
    expect(await refuse()).toBe('You already host 3 rooms and cups. Please end one of your fairs first.')
    await sql`update fairs set state = 'open' where host_id = ${await findId(host)}`.execute(server.db)
    expect(await refuse()).toBe(
      'You already host 3 rooms and cups. A cup that has started ends only at its bell. Please wait for one of your cups to end.',
    )
  })
})

describe('a cup that starts during a request', () => {
  it.each(['end', 'remove'] as const)(
    'rejects the host’s action, which was allowed before the start: %s',
    async (act) => {
      const guest = await server.player()
      const userId = await findId(guest)
      const { id } = (await create({ kind: 'cup' })).json().fair
      await sql`insert into fairs.accounts (fair_id, user_id, sol_balance, stake) values (${id}, ${userId}, 100, 100)`.execute(
        server.db,
      )
      const answer = await server.db.transaction().execute(async (tx) => {
        await sql`
        update fairs set state = 'open', bell_at = now() + interval '1 hour' where id = ${id}`.execute(tx)
        const sent = Promise.resolve(
          act === 'end' ? changeFair(host, id, { act }) : host.raw('DELETE', `/api/fairs/${id}/entrants/${userId}`, ''),
        )
        await vi.waitFor(async () => {
          const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
             and query like '%from "fairs"%for no key update%'`.execute(server.db)
          expect(rows).toHaveLength(1)
        }, WAIT_MAX_MS)
        return { sent }
      })
      const { statusCode, body } = await answer.sent
      expect([statusCode, body]).toEqual([
        409,
        act === 'end'
          ? 'A cup that has begun ends only at its bell.'
          : 'Nobody can be removed from a cup that has begun.',
      ])
      expect((await guest.get(`/api/fairs/${id}`)).json()).toMatchObject({ state: 'open', me: { hasLeft: false } })
    },
  )
})

describe('a private fair', () => {
  it('cannot be told from an unknown token, not even by the number of reads', async () => {
    const { id } = await openRoom(host)
    const launched = await host.post('/api/tokens/launch', { name: 'Paper Star', symbol: 'STAR', fairId: id })
    const tokenId = launched.json().id
    expect((await host.get(`/api/tokens/${tokenId}`)).statusCode).toBe(200)
    const { fairs = server.app } = server.app.market
    const stranger = await findId(await server.player())
    const look = async (token: number, userId: UserId | null) => {
      const done: string[] = []
      const query = vi.spyOn(fairs.platform.db.getExecutor(), 'executeQuery')
      const findUser = async () => {
        done.push('user')
        return userId
      }
      await expect(chooseMarket(server.app, { tokenId: token as never }, findUser)).rejects.toMatchObject({
        code: 'TOKEN_NOT_FOUND',
      })
      // Count only these reads, because the feed of the fairs' market polls at the same time.
      const reads = query.mock.calls.filter(([{ sql: text }]) => /join fairs|fairs\.accounts/.test(text)).length
      query.mockRestore()
      return [...done, reads]
    }
    for (const userId of [stranger, null]) {
      expect(await look(tokenId, userId)).toEqual(['user', 1])
      expect(await look(1_999_999_999, userId)).toEqual(['user', 1])
    }
  })

  it('without a host cannot be watched by guests', async () => {
    await addFairs(1, 'room', null)
    const { id } = await server.db.selectFrom('fairs').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()
    const watched = watchFair(server.app, { userId: null, fairId: id }, undefined)
    await expect(watched.next()).rejects.toMatchObject({ code: 'FAIR_NOT_FOUND' })
  })
})

describe('two orders with the same key', () => {
  it('return the newer order, in the fairground or in a fair', async () => {
    const { id } = await openRoom(host)
    const launch = { name: 'Paper Star', symbol: 'STAR', fairId: id }
    const tokens = [(await host.post('/api/tokens/launch', launch)).json().id, await host.launch()]
    for (const [key, order] of Object.entries({ 'room-last': tokens.toReversed(), 'room-first': tokens })) {
      for (const tokenId of order) await host.post('/api/tokens/buy', { tokenId, solAmount: '1', requestId: key })
      expect((await host.get(`/api/orders/${key}`)).json()).toMatchObject({ key, tokenId: order[1] })
    }
  })
})

describe('a launch at the moment', () => {
  /** Takes the locks of a batch with a launch, the first ones before `act` starts and the last one while it waits. */
  async function runBeside(db: Kysely<never>, locked: string, fairId: number, act: () => Promise<unknown>) {
    let acted: Promise<unknown> = Promise.resolve()
    await db.transaction().execute(async (tx) => {
      await sql`select from fairs.${sql.table(locked)} for no key update`.execute(tx)
      acted = act()
      acted.catch(() => {})
      await vi.waitFor(async () => {
        const { rows } = await sql`select from pg_locks where not granted`.execute(db)
        expect(rows).toHaveLength(1)
      }, WAIT_MAX_MS)
      await sql`select from fairs where id = ${fairId} for share`.execute(tx)
    })
    await acted
  }

  it.each(['pools', 'accounts'] as const)(
    'of a fair’s end, or of its player’s leaving, causes no deadlock: %s',
    async (locked) => {
      const market = await createFairMarket()
      onTestFinished(() => market.close())
      const { db } = market.database
      const fairId = await market.openFair()
      const player = await market.addEntrant(fairId)
      await market.launch(fairId, player, '5')
      const leave = () => leaveFair({ platform: { db } }, player, { id: fairId })
      const end = () => db.transaction().execute((tx) => endFair(tx, fairId))
      await runBeside(db as never, locked, fairId, locked === 'pools' ? end : leave)
      const { rows } = await sql<{ left: boolean; closed: boolean }>`
      select a.left_at is not null as left, p.closes_at <= now() as closed
        from fairs.accounts a, fairs.pools p`.execute(db)
      expect(rows).toEqual([{ left: locked === 'accounts', closed: locked === 'pools' }])
    },
  )
})
