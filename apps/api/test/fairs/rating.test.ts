import { QUICK_RATING_MAX } from '@papermoon/contract/fair-tokens'
import type { UserId } from '@papermoon/engine'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recomputeRatings, updateRatings } from '../../src/features/fairs/rating.ts'
import { getRecord } from '../../src/features/fairs/record.ts'
import { createFairMarket, FAIR_STARTS_AT, type FairMarket } from '../support/fair-market.ts'

let market: FairMarket
let players: UserId[]
beforeAll(async () => {
  market = await createFairMarket()
})
afterAll(() => market.close())
beforeEach(async () => {
  await market.database.db.deleteFrom('fair_results').execute()
  await market.database.db.deleteFrom('fair_ratings').execute()
  await market.database.db.updateTable('fairs').set({ state: 'void' }).where('id', '>', 1).execute()
  players = await Promise.all(Array.from({ length: 6 }, () => market.addUser()))
})

let settled = 0
/** Adds a settled fair in which these players ranked in this order, and updates the ratings. */
async function settle(
  order: readonly UserId[],
  {
    kind = 'arena',
    isQuick = false,
    changes = {},
  }: { kind?: 'arena' | 'room' | 'cup'; isQuick?: boolean; changes?: Record<number, object> } = {},
): Promise<number> {
  const { db } = market.database
  const id = await market.openFair({ kind, isQuick, name: `Fair ${++settled}` })
  const settledAt = new Date(FAIR_STARTS_AT.getTime() + settled)
  await db
    .updateTable('fairs')
    .set({ state: 'settled', settled_at: settledAt, bell_at: settledAt })
    .where('id', '=', id)
    .execute()
  const rows = order.map((userId, index) => ({
    fair_id: id,
    user_id: userId,
    place: index + 1,
    standing: '100',
    score: '100',
    is_ranked: true,
    is_bot: false,
    has_left: false,
    trades: 3,
    medal: index < 3 ? index + 1 : null,
    ...changes[userId],
  }))
  await db.insertInto('fair_results').values(rows).execute()
  await db.transaction().execute((tx) => updateRatings(tx, id))
  return id
}

const readRatings = () => market.database.db.selectFrom('fair_ratings').selectAll().orderBy('user_id').execute()
const ratingOf = async (userId: UserId) => (await readRatings()).find(({ user_id }) => user_id === userId)
const recordOf = (userId: UserId) => getRecord({ platform: { db: market.database.db } }, userId)

describe('ratings', () => {
  it('follow Glicko-2 with wins and losses against the two players above and the two below', async () => {
    await settle(players)
    const ratings = await Promise.all(players.map(async (userId) => (await ratingOf(userId))?.rating ?? 0))
    // The best won twice, and the third won twice and lost twice. Equal ratings at the start make the changes
    // symmetric.
    expect(ratings[0]).toBeGreaterThan(ratings[1] as number)
    expect(ratings[1]).toBeGreaterThan(ratings[2] as number)
    expect(ratings[2]).toBeCloseTo(1500, 6)
    expect(ratings[3]).toBeCloseTo(1500, 6)
    expect((ratings[0] as number) + (ratings[5] as number)).toBeCloseTo(3000, 6)
    expect((await ratingOf(players[2] as UserId))?.deviation).toBeLessThan(
      (await ratingOf(players[0] as UserId))?.deviation ?? 0,
    )
  })

  it('agree with the paper’s formula for two equal players', async () => {
    await settle(players.slice(0, 2))
    const best = await ratingOf(players[0] as UserId)
    // g = 0.66907, E = 0.5, so v = 8.9355; phi' = 1.66899, and the rating moves by 173.7178 * phi'^2 * g / 2.
    expect(best?.rating).toBeCloseTo(1662.2, 0)
    expect(best?.deviation).toBeCloseTo(290.3, 0)
    expect(best?.fairs).toBe(1)
  })

  it('of two players with equal scores stay equal', async () => {
    const [one, two] = players as [UserId, UserId]
    await settle([one, two], { changes: { [two]: { place: 1 } } })
    expect((await readRatings()).map(({ rating }) => Math.round(rating))).toEqual([1500, 1500])
  })

  it('ignore bots, unranked players, players’ fairs and a player who was alone', async () => {
    const [one, two, three] = players as [UserId, UserId, UserId]
    await settle([one, two, three], { changes: { [two]: { is_bot: true }, [three]: { is_ranked: false } } })
    await settle([one, two], { kind: 'room' })
    await settle([one, two], { kind: 'cup' })
    expect(await readRatings()).toEqual([])
    await market.database.db.transaction().execute(recomputeRatings)
    expect(await readRatings()).toEqual([])
    await settle([one, two])
    expect((await readRatings()).map(({ user_id }) => user_id)).toEqual([one, two].sort((a, b) => a - b))
  })

  it('of a quick arena rise for the best three of eight', async () => {
    const bots = await Promise.all(Array.from({ length: 7 }, () => market.addUser({ kind: 'house' })))
    const changes = Object.fromEntries(bots.map((id) => [id, { is_bot: true }]))
    const [third, fifth] = players as [UserId, UserId]
    await settle([...bots.slice(0, 2), third, ...bots.slice(2)], { isQuick: true, changes })
    await settle([...bots.slice(0, 4), fifth, ...bots.slice(4)], { isQuick: true, changes })
    expect((await ratingOf(third))?.rating).toBeGreaterThan(1_500)
    expect((await ratingOf(fifth))?.rating).toBeLessThan(1_500)
  })

  it('of a quick arena change against bots up to a maximum, and stay provisional', async () => {
    const [one, ...bots] = players as [UserId, ...UserId[]]
    const changes = Object.fromEntries(bots.map((id) => [id, { is_bot: true }]))
    await settle([...bots, one], { isQuick: true, changes })
    const low = (await ratingOf(one))?.rating ?? 0
    expect(low).toBeLessThan(1500)
    for (let n = 0; n < 12; n++) await settle([one, ...bots], { isQuick: true, changes })
    expect(await readRatings()).toMatchObject([{ user_id: one, rating: QUICK_RATING_MAX, fairs: 0 }])
    expect(await recordOf(one)).toMatchObject({ rating: QUICK_RATING_MAX, isProvisional: true, arenas: 0 })
    // A rating above the maximum, from arenas with people, does not rise, but can fall.
    const db = market.database.db
    await db.updateTable('fair_ratings').set({ rating: 1800, deviation: 60 }).where('user_id', '=', one).execute()
    await settle([one, ...bots], { isQuick: true, changes })
    expect((await ratingOf(one))?.rating).toBe(1800)
    const id = await settle([...bots, one], { isQuick: true, changes })
    const { rating } = (await ratingOf(one)) ?? {}
    expect(rating).toBeLessThan(1800)
    const results = db.selectFrom('fair_results').select(['rating_before', 'rating_after']).where('fair_id', '=', id)
    expect(await results.where('user_id', '=', one).execute()).toEqual([{ rating_before: 1800, rating_after: rating }])
    expect(await results.where('user_id', '<>', one).where('rating_after', 'is not', null).execute()).toEqual([])
  })

  it('are computed again from the results after a fair was made void', async () => {
    await settle(players)
    const withoutLast = await readRatings()
    const last = await settle([...players].reverse())
    const all = await readRatings()
    expect(all).not.toEqual(withoutLast)
    await market.database.db.transaction().execute(recomputeRatings)
    expect(await readRatings()).toEqual(all)
    await market.database.db.updateTable('fairs').set({ state: 'void' }).where('id', '=', last).execute()
    await market.database.db.transaction().execute(recomputeRatings)
    expect(await readRatings()).toEqual(withoutLast)
  })
})

describe('the record of a player', () => {
  it('has medals, ranks and the rating, without players’ fairs, void fairs and fairs without a rank', async () => {
    const [best, second] = players as [UserId, UserId]
    const first = await settle(players)
    await settle([second, best], { kind: 'room' })
    await settle([best, second], { kind: 'cup' })
    const gone = await settle([best, second])
    await market.database.db.updateTable('fairs').set({ state: 'void' }).where('id', '=', gone).execute()
    await market.database.db.transaction().execute(recomputeRatings)
    await settle([second, best], { changes: { [best]: { is_ranked: false, medal: null } } })
    const record = await recordOf(best)
    expect(record).toMatchObject({
      isProvisional: true,
      arenas: 1,
      medals: { gold: 1, silver: 0, bronze: 0, paper: 0 },
    })
    expect(record.latest).toMatchObject([{ fairId: first, kind: 'arena', place: 1, medal: 1 }])
    expect(record.rating).toBeGreaterThan(1500)
  })

  it('counts paper medals separately', async () => {
    const [best] = players as [UserId]
    await settle(players, { changes: { [best]: { is_paper: true } } })
    const record = await recordOf(best)
    expect(record.medals).toEqual({ gold: 0, silver: 0, bronze: 0, paper: 1 })
    expect(record.latest).toMatchObject([{ medal: 1, isPaper: true }])
  })

  it('is provisional below ten fairs, and lists the latest ten', async () => {
    for (let n = 0; n < 9; n++) await settle(players.slice(0, 2))
    expect((await recordOf(players[0] as UserId)).isProvisional).toBe(true)
    await settle(players.slice(0, 2))
    const last = await settle(players.slice(0, 2))
    const record = await recordOf(players[0] as UserId)
    expect([record.isProvisional, record.arenas, record.medals.gold]).toEqual([false, 11, 11])
    expect([record.latest.length, record.latest[0]?.fairId]).toEqual([10, last])
  })

  it('is empty for a player who was never in a fair', async () => {
    expect(await recordOf(players[0] as UserId)).toEqual({
      rating: null,
      isProvisional: true,
      arenas: 0,
      latest: [],
      medals: { gold: 0, silver: 0, bronze: 0, paper: 0 },
    })
  })
})
