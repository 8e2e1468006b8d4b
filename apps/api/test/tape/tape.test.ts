import { createHash } from 'node:crypto'
import { TAPE_MS, type TapePlay, type TapeResult, type TapeToday } from '@papermoon/contract/tape'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { hide } from '../../src/commands/admin/moderate.ts'
import { chooseTape } from '../../src/features/tape/choose-tape.ts'
import { countStatements } from '../support/statements.ts'
import {
  createTestServer,
  errorsIn,
  openSocket,
  registration,
  shareTestServer,
  type TestServer,
  type Visitor,
} from '../support/test-server.ts'

const DAY_MS = 24 * 3_600_000
const STRETCH = 60
const TOKENS = 4

const server = await shareTestServer()
const port = await server.listen()
server.passToNoon()
const tokens = await makeHistory(server, { stretches: 20, tokens: TOKENS })

/**
 * Creates tokens that traded every half minute, or `every`, since ten days ago, with prices that go up and down by
 * half.
 */
async function makeHistory(
  { db, player }: TestServer,
  plan: { stretches: number; tokens: number; every?: string },
): Promise<number[]> {
  const creator = await player()
  const ids: number[] = []
  for (let index = 0; index < plan.tokens; index++) ids.push(await creator.launch())
  await sql`
    with made as (
      insert into trades (id, token_id, seq, user_id, side, sol_amount, fee, token_amount, price, sol_reserve,
        token_reserve, spot_price, created_at, hash)
      select first + row_number() over () - 1, t.id, n, t.creator_id, 'buy', 0.01, 0.00003, 1000, 0.00001, 31, 1000000,
             round((0.00000003 * (1.5 + sin(n / 7.0 + t.id)))::numeric, 18), now() - interval '10 days' + n * ${plan.every ?? '30 s'}::interval, sha256('')
        from next_position(${plan.tokens * plan.stretches * STRETCH}) first, tokens t,
             generate_series(1, ${plan.stretches * STRETCH}::int) n
      returning 1)
    update tokens set created_at = now() - interval '11 days'`.execute(db)
  await sql`update pools set seq = ${plan.stretches * STRETCH}`.execute(db)
  return ids
}

const tapeOf = async (visitor: Visitor): Promise<TapeToday> => (await visitor.get('/api/tape')).json()
const begin = async (visitor: Visitor): Promise<TapePlay> => (await visitor.post('/api/tape/plays', {})).json()
const move = async (visitor: Visitor, id: string, what: 'buy' | 'sell'): Promise<TapePlay> =>
  (await visitor.post(`/api/tape/plays/${id}/${what}`, {})).json()
const resultOf = (visitor: Visitor, day: string) => visitor.get(`/api/tape/${day}`)

/** Plays a whole game: buys after ten seconds, and sells after twenty. */
async function playOnce(visitor: Visitor): Promise<string> {
  const { id, day } = await begin(visitor)
  server.passTime(10_000)
  await move(visitor, id, 'buy')
  server.passTime(10_000)
  expect(await move(visitor, id, 'sell')).toMatchObject({ isOver: true })
  return day
}

/** Lets days pass, so that everyone can play again. */
const passDays = (days: number) => server.passTime(days * DAY_MS)

describe('the choice of the daily game', () => {
  const now = new Date()
  const choose = (seed: string, day = '2026-01-05') => chooseTape(server.db, { day, now, seed })

  it('depends on the seed alone, and differs between seeds', async () => {
    const choices = await Promise.all(['a', 'a', 'b', 'c', 'd', 'e'].map((seed) => choose(seed)))
    expect(choices[1]).toEqual(choices[0])
    expect(new Set(choices.map(({ proof }) => proof.split('\n')[2])).size).toBeGreaterThan(2)
    for (const { token_id, from_seq, to_seq, points } of choices) {
      expect(tokens).toContain(token_id)
      expect([(from_seq ?? 0) % STRETCH, (to_seq ?? 0) - (from_seq ?? 0)]).toEqual([1, STRETCH - 1])
      const times = (JSON.parse(points) as [number, string][]).map(([ms]) => ms)
      expect([times[0], times.length]).toEqual([0, STRETCH])
      expect(times).toEqual([...times].sort((a, b) => a - b))
      expect(times.at(-1)).toBeLessThan(TAPE_MS)
    }
  })

  it('uses trades older than a day and visible tokens only, also in a slow market of a few days', async () => {
    const young = { day: '2026-01-05', seed: 'a' }
    // Ten days ago the market had no trades older than a day.
    expect((await chooseTape(server.db, { ...young, now: new Date(Date.now() - 9.5 * DAY_MS) })).token_id).toBeNull()
    const other = await createTestServer()
    onTestFinished(() => other.close())
    const [hidden, ...open] = await makeHistory(other, { stretches: 7, tokens: 4, every: '30 minutes' })
    await hide(other.database, String(hidden))
    for (const seed of 'abcdef') {
      expect(open).toContain((await chooseTape(other.db, { day: '2026-01-05', now: new Date(), seed })).token_id)
    }
    await hide(other.database, String(open[0]))
    await hide(other.database, String(open[1]))
    // One token with seven stretches of trades is not enough.
    expect((await chooseTape(other.db, { day: '2026-01-05', now: new Date() })).proof).toMatch(/made up$/)
  })

  it('requires a decision: the best buy and sale pay a fifth more than holding all the time', {
    tags: 'nightly',
  }, async () => {
    const other = await createTestServer()
    onTestFinished(() => other.close())
    const [climbing, ...open] = await makeHistory(other, { stretches: 20, tokens: 4 })
    await sql`update trades set spot_price = round(0.00000001 * power(1.004, seq), 18) where token_id = ${climbing}`.execute(
      other.db,
    )
    for (const seed of 'abcdefgh') {
      expect(open).toContain((await chooseTape(other.db, { day: '2026-01-05', now: new Date(), seed })).token_id)
    }
    await sql`update tokens set hidden_at = now()`.execute(other.db)
    for (let seed = 0; seed < 40; seed++) {
      const { points } = await chooseTape(other.db, { day: '2026-01-05', now: new Date(), seed: `made up ${seed}` })
      const prices = (JSON.parse(points) as [number, string][]).map(([, price]) => Number(price))
      const best = Math.max(...prices.map((price, index) => price / Math.min(...prices.slice(0, index + 1))))
      expect(best).toBeGreaterThanOrEqual(1.2 * Math.max(1, Number(prices.at(-1)) / Number(prices[0])))
    }
  })

  it('is made once, by the first call, and its hash is published the day before', async () => {
    const other = await createTestServer()
    onTestFinished(() => other.close())
    other.passToNoon()
    // Count with a sequence, because it also counts inserts that a conflict left out.
    await sql`create sequence choices minvalue 0`.execute(other.db)
    await sql`create function count_choice() returns trigger language plpgsql as
      'begin perform nextval(''choices''); return new; end'`.execute(other.db)
    await sql`create trigger count_choices before insert on tapes for each row execute function count_choice()`.execute(
      other.db,
    )
    const tapes = await Promise.all(Array.from({ length: 5 }, () => tapeOf(other.visitor())))
    expect(new Set(tapes.map(({ commit }) => commit)).size).toBe(1)
    expect((await sql`select nextval('choices')::int as choices`.execute(other.db)).rows).toEqual([{ choices: 2 }])
    expect(tapes[0]?.isGenerated).toBe(true)
    other.passTime(DAY_MS)
    const next = await tapeOf(other.visitor())
    expect([next.day, next.commit]).toEqual([tapes[0]?.tomorrow.day, tapes[0]?.tomorrow.commit])
    const past: TapeResult = (await resultOf(other.visitor(), tapes[0]?.day ?? '')).json()
    expect(createHash('sha256').update(String(past.text)).digest('hex')).toBe(tapes[0]?.commit)
    expect(past).toMatchObject({ mine: null, token: null, bots: [], isGenerated: true })
    expect(past.points).toHaveLength(STRETCH)
  })
})

describe('a game', () => {
  it('shows neither later points nor its token', async () => {
    const guest = server.visitor()
    const first = await begin(guest)
    expect(first.points.map(({ ms }) => ms)).toEqual([0])
    for (const seconds of [20, 70, 40]) {
      server.passTime(seconds * 1_000)
      const { play } = await tapeOf(guest)
      expect(play?.points.length).toBeGreaterThan(1)
      expect(play?.points.at(-1)?.ms).toBeLessThanOrEqual(play?.elapsedMs ?? 0)
      const refused = await resultOf(guest, first.day)
      expect([refused.statusCode, refused.body]).toEqual([
        409,
        'Play this tape first. You see the result after you have played.',
      ])
    }
    expect(JSON.stringify(await tapeOf(guest))).not.toContain('Paper Moon')
    expect(await tapeOf(server.visitor())).toMatchObject({ play: null, streak: 0, calendar: [] })
    passDays(1)
  })

  it('is sent point by point, each at its time and once, and resumes where a reader stopped', async () => {
    const guest = server.visitor()
    const { id } = await begin(guest)
    const follow = async (lastEventId?: string) => {
      const socket = await openSocket(`ws://127.0.0.1:${port}/trpc`)
      const input = { json: { id, ...(lastEventId !== undefined && { lastEventId }) } }
      socket.send({ id: 1, method: 'subscription', params: { path: 'tape.follow', input } })
      expect(await socket.next()).toMatchObject({ result: { type: 'started' } })
      return socket
    }
    const next = async (socket: Awaited<ReturnType<typeof follow>>): Promise<{ id: string; data: TapePlay }> =>
      Object(await socket.next()).result.data.json
    const points: TapePlay['points'] = []
    let socket = await follow()
    let told = await next(socket)
    points.push(...told.data.points)
    server.passTime(60_000)
    told = await next(socket)
    points.push(...told.data.points)
    expect(points.at(-1)?.ms).toBeLessThanOrEqual(told.data.elapsedMs)
    socket.socket.close()
    server.passTime(30_000)
    socket = await follow(told.id)
    points.push(...(await next(socket)).data.points)
    expect(points).toEqual((await tapeOf(guest)).play?.points.slice(0, points.length))
    server.passTime(TAPE_MS)
    do told = await next(socket)
    while (!told.data.isOver)
    expect(Object(await socket.next()).result).toMatchObject({ type: 'stopped' })
    socket.socket.close()
    expect(errorsIn(server)).toEqual([])
    passDays(1)
  })

  it('is read once for all who follow it at the same time', async () => {
    const { id } = await begin(server.visitor())
    const sockets = await Promise.all([1, 2, 3, 4].map(() => openSocket(`ws://127.0.0.1:${port}/trpc`)))
    const each = 25
    const reads = await countStatements(/from "tape_plays"/, async () => {
      for (const socket of sockets) {
        for (let call = 1; call <= each; call++) {
          socket.send({ id: call, method: 'subscription', params: { path: 'tape.follow', input: { json: { id } } } })
        }
      }
      for (const { next } of sockets) {
        for (let first = 0; first < each; ) if (Object(await next()).result.type === 'data') first++
      }
    })
    expect(reads).toBeLessThan((sockets.length * each) / 2)
    for (const { socket } of sockets) socket.close()
    passDays(1)
  })

  it('buys and sells once, at the current price, however often and wherever the player clicks', async () => {
    const player = await server.player()
    const [{ id }, second] = await Promise.all([begin(player), begin(player)])
    expect(second.id).toBe(id)
    expect(await move(player, id, 'sell')).toMatchObject({ boughtMs: null, soldMs: null, isOver: false })
    server.passTime(30_000)
    const bought = await Promise.all([1, 2, 3].map(() => move(player, id, 'buy')))
    expect(new Set(bought.map(({ boughtMs }) => boughtMs)).size).toBe(1)
    server.passTime(30_000)
    const sold = await Promise.all([1, 2, 3].map(() => move(player, id, 'sell')))
    expect(new Set(sold.map(({ soldMs }) => soldMs)).size).toBe(1)
    server.passTime(30_000)
    expect((await move(player, id, 'buy')).boughtMs).toBe(bought[0]?.boughtMs)
    const { boughtMs, soldMs, day, points, isOver } = await begin(player)
    expect([isOver, boughtMs, soldMs]).toEqual([true, bought[0]?.boughtMs, sold[0]?.soldMs])
    expect(boughtMs).toBeGreaterThanOrEqual(30_000)
    const levelAt = (ms: number | null) => Number(points.findLast((point) => point.ms <= (ms ?? 0))?.level)
    const result: TapeResult = (await resultOf(player, day)).json()
    const expected = (levelAt(soldMs) / levelAt(boughtMs)) * 0.997 * 0.997 - 1
    expect(Number(result.mine?.percent)).toBeCloseTo(expected * 100, 1)
    expect(Number(result.best.percent)).toBeGreaterThanOrEqual(Number(result.mine?.percent))
    expect(tokens).toContain(result.token?.id)
    passDays(1)
  })

  it('that nobody finishes ends by the clock, and tokens bought are held to the end', async () => {
    const player = await server.player()
    const { id, day } = await begin(player)
    await move(player, id, 'buy')
    server.passTime(TAPE_MS)
    expect(await move(player, id, 'sell')).toMatchObject({ soldMs: null, isOver: true })
    const { mine, hold } = (await resultOf(player, day)).json()
    expect([mine.percent, mine.soldMs]).toEqual([hold, null])
    const idle = await server.player()
    await begin(idle)
    server.passTime(TAPE_MS)
    expect((await tapeOf(idle)).calendar).toEqual([{ day, strip: '⬛⬛⬛⬛⬛⬛⬛⬛⬛', percent: '0' }])
    passDays(1)
  })

  it('ends on its day: none starts in the last five minutes, so yesterday’s game can be shown to everyone', async () => {
    const other = await createTestServer()
    onTestFinished(() => other.close())
    other.passToNoon()
    other.passTime(DAY_MS / 2 - 6 * 60_000)
    const guest = other.visitor()
    const { id, day } = await begin(guest)
    other.passTime(2 * 60_000)
    const late = await other.visitor().post('/api/tape/plays', {})
    expect([late.statusCode, late.body]).toEqual([
      409,
      'It is too late to play today’s tape. The next tape starts at 00:00 UTC.',
    ])
    expect(await begin(guest)).toMatchObject({ id, isOver: false })
    other.passTime(4 * 60_000)
    expect((await resultOf(other.visitor(), day)).statusCode).toBe(200)
    expect((await begin(other.visitor())).day > day).toBe(true)
  })

  it('is compared with other accounts that finished it; guests see this, but do not count', async () => {
    const [first, second] = [await server.player(), await server.player()]
    const day = await playOnce(first)
    await playOnce(server.visitor())
    await begin(await server.player())
    await playOnce(second)
    const { mine } = (await resultOf(first, day)).json()
    expect((await resultOf(second, day)).json().players).toMatchObject({ count: 1, median: mine.percent })
    passDays(1)
    expect((await resultOf(server.visitor(), day)).json().players).toMatchObject({ count: 3, beaten: 0 })
  })

  it('is compared with the profits of house bots in the same stretch', async () => {
    const player = await server.player()
    const { id } = (await player.get('/api/auth/user')).json()
    const day = await playOnce(player)
    const { token, fromSeq, points } = (await resultOf(player, day)).json() as TapeResult
    await sql`update users set kind = 'house' where id = ${id}`.execute(server.db)
    // The bot paid 2 SOL for tokens worth 1 SOL at the first price, and kept them.
    await sql`update trades set user_id = ${id}, sol_amount = 2, token_amount = round(1 / spot_price, 6)
               where token_id = ${token?.id} and seq = ${fromSeq}`.execute(server.db)
    const { bots } = (await resultOf(player, day)).json() as TapeResult
    const last = Number(points.at(-1)?.level) / Number(points[0]?.level)
    expect(bots).toMatchObject([{ userId: id }])
    expect(Number(bots[0]?.percent)).toBeCloseTo((last / 2 - 1) * 100, 1)
    passDays(1)
  })

  it('does not show its token if that was hidden since', async () => {
    const player = await server.player()
    const day = await playOnce(player)
    const { token } = (await resultOf(player, day)).json() as TapeResult
    await hide(server.database, String(token?.id))
    const answer = await resultOf(player, day)
    expect(answer.json()).toMatchObject({ token: null, text: null, from: null, isGenerated: false })
    expect(answer.body).not.toContain('Paper Moon')
    await sql`update tokens set hidden_at = null`.execute(server.db)
    passDays(1)
  })
})

it('an IP address can start at most 120 games of guests in ten minutes, and a player can still play there', {
  tags: 'nightly',
}, async () => {
  const other = await createTestServer({ env: { RATE_LIMIT: 'on' } })
  other.passToNoon()
  try {
    const answers = await Promise.all(Array.from({ length: 121 }, () => other.visitor().post('/api/tape/plays', {})))
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(1)
    expect(await begin(await other.player())).toMatchObject({ isOver: false })
  } finally {
    await other.close()
  }
})

describe('the games of a visitor', () => {
  it('are kept if a guest registers, and shown to nobody else', async () => {
    const guest = server.visitor()
    const days = [await playOnce(guest)]
    passDays(1)
    days.unshift(await playOnce(guest))
    const before = await tapeOf(guest)
    expect([before.streak, before.calendar.map(({ day }) => day)]).toEqual([2, days])
    await guest.post('/api/auth/register', registration('kept'))
    expect(await tapeOf(guest)).toMatchObject({ streak: 2, calendar: before.calendar, play: before.play })
    expect((await begin(guest)).id).toBe(before.play?.id)
    expect((await tapeOf(await server.player())).calendar).toEqual([])
    guest.cookie = undefined
    expect((await tapeOf(guest)).calendar).toEqual([])
    passDays(1)
  })

  it('as a guest count for the account that signs in, unless it has played today', async () => {
    const [account, busy] = [await server.player('tape-guest'), await server.player('tape-busy')]
    const own = await begin(busy)
    await account.post('/api/auth/logout', {})
    const played = await playOnce(account)
    const guest = (await tapeOf(account)).play
    await account.post('/api/auth/login', {
      email: 'tape-guest@papermoon.example',
      password: registration('x').password,
    })
    expect(await begin(account)).toMatchObject({ id: guest?.id, isOver: true })
    expect((await tapeOf(account)).calendar.map(({ day }) => day)).toEqual([played])
    await account.post('/api/auth/logout', {})
    expect((await tapeOf(account)).play).toBeNull()
    await busy.post('/api/auth/logout', {})
    await begin(busy)
    await busy.post('/api/auth/login', { email: 'tape-busy@papermoon.example', password: registration('x').password })
    expect((await begin(busy)).id).toBe(own.id)
    passDays(1)
  })

  it('are in the account’s export once they are over, and not before', async () => {
    const player = await server.player()
    const exported = async () => {
      const { url } = (await player.post('/api/account/export', {})).json()
      return (await player.get(url)).json().tapePlays
    }
    const { id, day } = await begin(player)
    await move(player, id, 'buy')
    expect(await exported()).toEqual([])
    server.passTime(TAPE_MS)
    expect(await exported()).toMatchObject([{ day, boughtMs: expect.any(Number), soldMs: null }])
    passDays(1)
  })
})
