import { CHARACTERS } from '@papermoon/bots'
import type { UserId } from '@papermoon/engine'
import { createTestMarket, type TestMarket } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { auditLeagues } from '../../src/features/audit/audit-leagues.ts'
import { Differences } from '../../src/features/audit/differences.ts'
import { voidFair } from '../../src/features/fairs/administer.ts'
import { computeLeague, drawGroups, toNextDivision, toWeek } from '../../src/features/fairs/league/compute-league.ts'
import { keepLeague } from '../../src/features/fairs/league/keep-league.ts'
import { drawQuests, QUESTS } from '../../src/features/fairs/league/quests.ts'
import { createHouseBots } from '../../src/house/create-house-bots.ts'
import { tradeAtRandom } from '../support/random-trading.ts'

const SEED = Number(process.env.TEST_SEED) || 25
const WEEK = '2026-03-02'
const NEXT_WEEK = '2026-03-09'
const MINUTE_MS = 60_000

let market: TestMarket
let now: Date
const at = (time: string) => new Date(`2026-03-${time}Z`)
beforeEach(async () => {
  now = at('02T00:00:00')
  market = await createTestMarket({ clock: { now: () => now } })
  await sql`update league_progress set began_at = ${now}, quests_until = ${now}`.execute(market.db)
})
afterEach(() => market.close())

/** Lets the league catch up to a time, step by step. */
async function keep(time: Date): Promise<void> {
  for (;;) {
    await keepLeague(market.db, time)
    const progress = await market.db.selectFrom('league_progress').select('quests_until').executeTakeFirstOrThrow()
    if (progress.quests_until >= time) return
  }
}

/** Adds an arena that ended at a time, with these points. Nobody is ranked, so it completes no quests. */
async function addArena(end: Date, points: Record<number, number>): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into fairs (kind, name, stake, lobby_at, starts_at, ends_at, bell_at, settled_at, state, secret,
      entrants_max)
    values ('arena', 'Arena', 100, ${end}, ${end}, ${end}, ${end}, ${end}, 'settled',
      sha256(random()::text::bytea), 500)
    returning id`.execute(market.db)
  const id = rows[0]?.id ?? 0
  for (const [index, [userId, won]] of Object.entries(points).entries()) {
    await sql`
      insert into fair_results (fair_id, user_id, place, standing, score, is_ranked, is_bot, has_left, trades,
        league_points)
      values (${id}, ${Number(userId)}, ${index + 1}, 100, 100, false, false, false, 1, ${won})`.execute(market.db)
  }
  return id
}

/** Returns the differences that the audit finds. */
async function audit(): Promise<readonly string[]> {
  const differences = new Differences()
  await auditLeagues(market.db, differences)
  return differences.shown
}

const readGroup = async (week: string, time: Date) =>
  (await computeLeague(market.db, week, time)).map(({ user_id, division, points, place }) => {
    return { id: user_id, division, points, place }
  })
const pointsOf = async (userId: number, time: Date) =>
  (await computeLeague(market.db, WEEK, time)).find(({ user_id }) => user_id === userId)?.points

const findDone = async (quest: string, day: string): Promise<number[]> => {
  const from = new Date(`${day}T00:00:00Z`)
  const span = { day, from, until: new Date(from.getTime() + 24 * 60 * MINUTE_MS) }
  const select = QUESTS.find(({ id }) => id === quest)?.select(span)
  const { rows } = await sql<{ user_id: number }>`select distinct user_id from (${select}) q order by 1`.execute(
    market.db,
  )
  return rows.map(({ user_id }) => user_id)
}

describe('a league', () => {
  it('counts the best five arenas of each day', async () => {
    const player = await market.addPlayer()
    for (let hour = 1; hour <= 7; hour++) await addArena(at(`03T0${hour}:00:00`), { [player]: hour })
    await addArena(at('04T01:00:00'), { [player]: 10 })
    await keep(at('05T00:00:00'))
    expect(await pointsOf(player, at('05T00:00:00'))).toBe(7 + 6 + 5 + 4 + 3 + 10)
    expect(await pointsOf(player, at('03T03:30:00'))).toBe(1 + 2 + 3)
  })

  it('counts a tape play with a buy once it is over, and counts it more with a gain', async () => {
    const [loser, winner, idle] = [await market.addPlayer(), await market.addPlayer(), await market.addPlayer()]
    const play = (userId: UserId, boughtMs: number | null, gain: string) => sql`
      insert into tape_plays (id, day, user_id, started_at, bought_ms, gain, strip)
      values (gen_random_uuid(), '2026-03-03', ${userId}, ${at('03T10:00:00')}, ${boughtMs}, ${gain}, '')`
    await play(loser, 1, '-0.1').execute(market.db)
    await play(winner, 1, '0.1').execute(market.db)
    await play(idle, null, '0').execute(market.db)
    await keep(at('03T10:01:00'))
    expect(await readGroup(WEEK, at('03T10:01:00'))).toEqual([])
    await keep(at('03T11:00:00'))
    const points = (await readGroup(WEEK, at('03T11:00:00'))).map((row) => [row.id, row.points])
    const isQuest = drawQuests('2026-03-03').some(({ id }) => id === 'green')
    expect(points).toEqual([
      [winner, isQuest ? 10 : 5],
      [loser, 2],
    ])
  })

  it('fills groups with house bots, which players replace', async () => {
    await createHouseBots(market.db, CHARACTERS, { at: now })
    const [first, second] = [await market.addPlayer(), await market.addPlayer()]
    await keep(at('03T00:00:00'))
    const before = await readGroup(WEEK, at('03T00:00:00'))
    expect(before).toHaveLength(20)
    expect(before.every(({ division, points }) => division === 5 && points === 0)).toBe(true)
    await addArena(at('03T01:00:00'), { [first]: 3 })
    await keep(at('03T02:00:00'))
    const members = await readGroup(WEEK, at('03T02:00:00'))
    expect(members).toHaveLength(20)
    expect(members[0]).toEqual({ id: first, division: 5, points: 3, place: 1 })
    await addArena(at('03T03:00:00'), { [second]: 1 })
    await keep(at('03T04:00:00'))
    const ids = (await readGroup(WEEK, at('03T04:00:00'))).map(({ id }) => id)
    expect(ids).toHaveLength(20)
    expect(ids.slice(0, 2)).toEqual([first, second])
  })

  it('counts only the best arena of a day for a house bot in division 5', async () => {
    const [bot] = await createHouseBots(market.db, CHARACTERS, { at: now }).then(() =>
      sql<{ id: number }>`select id from users where kind = 'house' order by id`
        .execute(market.db)
        .then(({ rows }) => rows),
    )
    const player = await market.addPlayer()
    const id = bot?.id ?? 0
    for (const hour of [1, 2]) await addArena(at(`03T0${hour}:00:00`), { [id]: 9, [player]: 1 })
    await sql`insert into league_members values (${WEEK}, 5, 9, ${id}), (${WEEK}, 4, 9, ${id})`.execute(market.db)
    const rows = (await computeLeague(market.db, WEEK, at('03T03:00:00'))).filter(({ user_id }) => user_id === id)
    expect(rows.map(({ division, points }) => [division, points])).toEqual([
      [4, 18],
      [5, 9],
    ])
  })

  it('closes once on Monday, promotes the best, drops players without points, and passes the audit', async () => {
    const players: UserId[] = []
    for (let n = 0; n < 8; n++) players.push(await market.addPlayer())
    const [idle, ...active] = players as [UserId, ...UserId[]]
    await addArena(at('03T01:00:00'), Object.fromEntries(active.map((id, n) => [id, 10 - n])))
    await addArena(at('08T23:58:00'), { [idle]: 0 })
    await keep(at('08T23:59:30'))
    await keep(at('09T00:00:30'))
    expect((await market.db.selectFrom('league_members').select('place').execute())[0]?.place).toBeNull()
    await Promise.all([keep(at('09T00:02:00')), keep(at('09T00:02:00'))])
    const closed = await sql<{ user_id: number; place: number }>`
      select user_id, place from league_members where week = ${WEEK} order by place`.execute(market.db)
    expect(closed.rows).toEqual(active.map((user_id, n) => ({ user_id, place: n + 1 })))
    const next = new Map((await readGroup(NEXT_WEEK, at('09T00:03:00'))).map(({ id, division }) => [id, division]))
    expect(active.map((id) => next.get(id))).toEqual([4, 4, 4, 4, 4, 5, 5])
    expect(next.has(idle)).toBe(false)
    expect(await audit()).toEqual([])

    const change = (what: ReturnType<typeof sql>) => sql`update league_members set ${what}`.execute(market.db)
    await change(sql`points = 99 where week = ${WEEK} and place = 1`)
    await change(sql`place = 9 where week = ${WEEK} and place = 4`)
    await change(sql`division = 3 where week = ${NEXT_WEEK} and user_id = ${active[1]}`)
    await sql`insert into quests_done values ('2026-03-04', ${idle}, 'ranked', ${now})`.execute(market.db)
    const shown = (await audit()).join('\n')
    for (const found of [
      'points are 99, but should be 10',
      'rank is 9, but should be 4',
      `player ${active[1]}: is in division 3`,
    ])
      expect(shown).toContain(found)
    expect(shown).toContain(`ranked of player ${idle} was not done`)
  })

  it('does not close before all of its arenas are settled', async () => {
    const player = await market.addPlayer()
    const id = await addArena(at('08T23:59:00'), { [player]: 5 })
    await keep(at('08T23:59:30'))
    await sql`update fairs set state = 'open' where id = ${id}`.execute(market.db)
    await keep(at('09T01:00:00'))
    expect(await readGroup(NEXT_WEEK, at('09T01:00:00'))).toEqual([])
    await sql`update fairs set state = 'settled' where id = ${id}`.execute(market.db)
    await keep(at('09T01:00:01'))
    expect(await readGroup(NEXT_WEEK, at('09T01:00:01'))).toHaveLength(1)
  })

  it('does not count a void arena, but a closed week keeps its points', async () => {
    const player = await market.addPlayer()
    const [one, other] = [await addArena(at('03T01:00:00'), { [player]: 5 }), await addArena(now, { [player]: 3 })]
    await keep(at('03T02:00:00'))
    await market.db.transaction().execute((tx) => voidFair(tx, one, 'A test.'))
    expect(await pointsOf(player, at('03T02:00:00'))).toBe(3)
    await keep(at('09T00:02:00'))
    await market.db.transaction().execute((tx) => voidFair(tx, other, 'A test.'))
    expect(await audit()).toEqual([])
  })

  it('promotes five and relegates five, within its divisions', () => {
    const move = (division: number, place: number, points = 1) => toNextDivision({ division, place, points, size: 20 })
    expect([move(3, 1), move(3, 5), move(3, 6), move(3, 15), move(3, 16), move(3, 20)]).toEqual([2, 2, 3, 3, 4, 4])
    expect([move(1, 1), move(5, 20), move(3, 2, 0)]).toEqual([1, 5, 3])
  })

  it('draws equal groups of at most twenty, always the same for the same week', () => {
    const people = Array.from({ length: 41 }, (_, n) => ({ userId: n + 1, division: 2 }))
    const seats = drawGroups(WEEK, people)
    const sizes = [1, 2, 3].map((number) => seats.filter(({ group }) => group === number).length)
    expect(sizes).toEqual([14, 14, 13])
    expect(drawGroups(WEEK, [...people].reverse())).not.toEqual([])
    expect(new Set(drawGroups(WEEK, [...people].reverse()).map((seat) => JSON.stringify(seat)))).toEqual(
      new Set(seats.map((seat) => JSON.stringify(seat))),
    )
  })

  it('begins on Monday at 00:00 UTC', () => {
    expect([toWeek(at('01T23:59:59')), toWeek(at('02T00:00:00')), toWeek(at('08T23:59:59'))]).toEqual([
      '2026-02-23',
      WEEK,
      WEEK,
    ])
  })
})

describe('quests', () => {
  it('are three of twelve each day, and vary from day to day', () => {
    expect(QUESTS).toHaveLength(12)
    const days = Array.from({ length: 60 }, (_, n) =>
      new Date(now.getTime() + n * 86_400_000).toISOString().slice(0, 10),
    )
    for (const day of days) expect(new Set(drawQuests(day)).size).toBe(3)
    expect(new Set(days.flatMap((day) => drawQuests(day).map(({ id }) => id))).size).toBe(12)
  })

  it('that were found step by step equal those that the audit finds for the whole week', async () => {
    await tradeAtRandom(market, {
      seed: SEED,
      orders: 600,
      onOrder: () => {
        now = new Date(now.getTime() + 15 * MINUTE_MS)
      },
    })
    await keep(at('09T00:02:00'))
    const done = await market.db.selectFrom('quests_done').selectAll().execute()
    expect(done.length).toBeGreaterThan(5)
    const causes = await market.db
      .selectFrom('notice_causes')
      .select('detail')
      .where('key', 'like', 'quest %')
      .execute()
    const texts = new Map(QUESTS.map(({ id, text }) => [id, text]))
    expect(causes.map(({ detail }) => detail.quest).sort()).toEqual(done.map(({ quest }) => texts.get(quest)).sort())
    expect(await audit()).toEqual([])
    await sql`delete from quests_done where quest = ${done[0]?.quest}`.execute(market.db)
    expect((await audit()).some((line) => line.includes('is missing'))).toBe(true)
  })

  it('include holding a young token while another player’s sale makes it fall', async () => {
    const [creator, holder, seller] = [await market.addPlayer(), await market.addPlayer(), await market.addPlayer()]
    const tokenId = await market.launch(creator)
    const sold = await market.buy(seller, tokenId, '20')
    const bought = await market.buy(holder, tokenId, '1')
    now = at('02T00:10:00')
    await market.sell(holder, tokenId, '1')
    expect(await findDone('fall', '2026-03-02')).toEqual([])
    await market.buy(holder, tokenId, '1')
    await market.sell(seller, tokenId, sold.position.amount)
    await market.sell(holder, tokenId, bought.position.amount)
    expect(await findDone('fall', '2026-03-02')).toEqual([holder])
  })

  it('include buys of one’s launch by others, early trades, three tokens and a dip', async () => {
    const [creator, ...others] = [
      await market.addPlayer(),
      await market.addPlayer(),
      await market.addPlayer(),
      await market.addPlayer(),
    ] as [UserId, UserId, UserId, UserId]
    const tokens = [await market.launch(creator), await market.launch(creator), await market.launch(creator)]
    const [first = 0 as never] = tokens
    const [one, two, three] = others
    await market.buy(one, first, '1')
    await market.buy(two, first, '1')
    expect(await findDone('launch', '2026-03-02')).toEqual([])
    const { position } = await market.buy(three, first, '30')
    expect(await findDone('launch', '2026-03-02')).toEqual([creator])
    expect(await findDone('early', '2026-03-02')).toEqual([one, two, three])
    for (const tokenId of tokens.slice(1)) await market.buy(one, tokenId, '1')
    expect(await findDone('three', '2026-03-02')).toEqual([one])
    expect(await findDone('dip', '2026-03-02')).toEqual([])
    await market.sell(three, first, position.amount)
    await market.buy(three, first, '1')
    expect(await findDone('dip', '2026-03-02')).toEqual([])
    await market.buy(two, first, '1')
    expect(await findDone('dip', '2026-03-02')).toEqual([two])
  })

  it('include selling for a tenth more than was paid on the same day', async () => {
    const [creator, trader, whale] = [await market.addPlayer(), await market.addPlayer(), await market.addPlayer()]
    const tokenId = await market.launch(creator)
    await market.buy(trader, tokenId, '1')
    await market.sell(trader, tokenId, '1')
    expect(await findDone('profit', '2026-03-02')).toEqual([])
    await market.buy(whale, tokenId, '20')
    now = at('02T01:00:00')
    await market.sell(trader, tokenId, '1')
    expect(await findDone('profit', '2026-03-02')).toEqual([trader])
    now = at('03T01:00:00')
    await market.sell(trader, tokenId, '1')
    expect(await findDone('profit', '2026-03-03')).toEqual([])
  })

  it('include a rank in an arena, a rank in the upper half, and one above every house bot', async () => {
    await createHouseBots(market.db, CHARACTERS, { at: now })
    const { rows } = await sql<{ id: number }>`select id from users where kind = 'house' order by id`.execute(market.db)
    const [one, two] = [await market.addPlayer(), await market.addPlayer()]
    const id = await addArena(at('03T01:00:00'), {})
    const places = [one, rows[0]?.id, rows[1]?.id, two]
    for (const [n, userId] of places.entries()) {
      await sql`
        insert into fair_results (fair_id, user_id, place, standing, score, is_ranked, is_bot, has_left, trades)
        values (${id}, ${userId}, ${n + 1}, 100, 100, true, ${userId !== one && userId !== two}, false, 1)`.execute(
        market.db,
      )
    }
    expect(await findDone('ranked', '2026-03-03')).toEqual(places.toSorted((a = 0, b = 0) => a - b))
    expect(await findDone('upper', '2026-03-03')).toContain(one)
    expect(await findDone('upper', '2026-03-03')).not.toContain(two)
    expect(await findDone('house', '2026-03-03')).toEqual([one])
  })

  it('include a post that another player replies to', async () => {
    const [author, reader] = [await market.addPlayer(), await market.addPlayer()]
    const post = async (userId: UserId, parentId: number | null) => {
      const { rows } = await sql<{ id: number }>`
        insert into posts (topic, parent_id, user_id, text, skeleton, created_at)
        values (1, ${parentId}, ${userId}, 'Words', 1, ${at('03T01:00:00')}) returning id`.execute(market.db)
      return rows[0]?.id ?? 0
    }
    const id = await post(author, null)
    await post(author, id)
    expect(await findDone('answered', '2026-03-03')).toEqual([])
    await post(reader, id)
    expect(await findDone('answered', '2026-03-03')).toEqual([author])
  })
})
