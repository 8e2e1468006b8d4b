import { createHash } from 'node:crypto'
import type { UserId } from '@papermoon/engine'
import { afterAll, describe, expect, it } from 'vitest'
import { awardMedals, findSeated, toLeaguePoints } from '../../src/features/fairs/settle.ts'
import { createFairMarket, FAIR_STARTS_AT } from '../support/fair-market.ts'

const market = await createFairMarket()
afterAll(() => market.close())

const at = (minute: number) => new Date(FAIR_STARTS_AT.getTime() + minute * 60_000)

async function addPlayers(fairId: number, count: number): Promise<UserId[]> {
  const players: UserId[] = []
  for (let n = 0; n < count; n++) players.push(await market.addEntrant(fairId))
  return players
}

const award = async (
  id: number,
  players: readonly UserId[],
  changes: Record<number, object> = {},
  kind: 'arena' | 'season' = 'season',
) => {
  const entrants = players.map((userId, index) => ({
    place: index + 1,
    userId,
    isRanked: true,
    isBot: false,
    ...changes[userId],
  }))
  const medals = awardMedals(kind, await findSeated(market.fairs, id, entrants))
  return players.map((userId) => {
    const { rank = 0, isPaper = false } = medals.get(userId) ?? {}
    return isPaper ? `paper ${rank}` : rank
  })
}

const signIn = (userId: UserId, browser: string) =>
  market.database.db
    .insertInto('account_browsers')
    .values({
      user_id: userId,
      browser_hash: createHash('sha256').update(browser).digest(),
      first_seen_at: at(0),
      last_seen_at: at(0),
    })
    .execute()

describe('the medals of a fair', () => {
  it('go to the best three of four ranked people', async () => {
    const fairId = await market.openFair()
    const players = await addPlayers(fairId, 5)
    expect(await award(fairId, [...players].reverse())).toEqual([1, 2, 3, 0, 0])
    expect(await award(fairId, players.slice(0, 4))).toEqual([1, 2, 3, 0])
    expect(await award(fairId, players.slice(0, 3))).toEqual([0, 0, 0])
  })

  it('are the same for players with equal scores', async () => {
    const fairId = await market.openFair()
    const players = await addPlayers(fairId, 5)
    const places = (...list: number[]) =>
      Object.fromEntries(players.map((id, index) => [id, { place: list[index] as number }]))
    expect(await award(fairId, players, places(1, 1, 3, 4, 5))).toEqual([1, 1, 3, 0, 0])
    expect(await award(fairId, players, places(1, 2, 3, 3, 3))).toEqual([1, 2, 3, 3, 3])
    expect(await award(fairId, players, places(1, 2, 2, 4, 5))).toEqual([1, 2, 2, 0, 0])
  })

  it('skip bots and players who are not ranked', async () => {
    const fairId = await market.openFair()
    const players = await addPlayers(fairId, 6)
    const [first = 0, second = 0, third = 0] = players
    const changes = { [first]: { isBot: true }, [second]: { isRanked: false } }
    expect(await award(fairId, players, changes)).toEqual([0, 0, 1, 2, 3, 0])
    expect(await award(fairId, players, { ...changes, [third]: { isBot: true } })).toEqual([0, 0, 0, 0, 0, 0])
  })

  it('are paper medals if bots fill the seats of an arena, and real medals among four people', async () => {
    const fairId = await market.openFair()
    const players = await addPlayers(fairId, 8)
    const bots = (count: number) => Object.fromEntries(players.slice(0, count).map((id) => [id, { isBot: true }]))
    const [, second = 0, third = 0] = players
    const lone = { ...bots(8), [second]: { isBot: false } }
    expect(await award(fairId, players, lone, 'arena')).toEqual([0, 'paper 2', 0, 0, 0, 0, 0, 0])
    expect(await award(fairId, players, lone)).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
    const pair = { ...lone, [third]: { isBot: false } }
    expect(await award(fairId, players.slice(0, 4), pair, 'arena')).toEqual([0, 'paper 2', 'paper 3', 0])
    expect(await award(fairId, players.slice(0, 3), pair, 'arena')).toEqual([0, 0, 0])
    expect(await award(fairId, players, bots(4), 'arena')).toEqual([0, 0, 0, 0, 1, 2, 3, 0])
    // Three bots before them do not count. A lone person needs a rank among the first three, which ignores unranked
    // bots.
    expect(await award(fairId, players, bots(3), 'arena')).toEqual([0, 0, 0, 1, 2, 3, 0, 0])
    expect(await award(fairId, players, { ...bots(8), [players[3] ?? 0]: {} }, 'arena')).toEqual(Array(8).fill(0))
    const unranked = { ...lone, [players[0] ?? 0]: { isBot: true, isRanked: false } }
    expect(await award(fairId, players, unranked, 'arena')).toEqual([0, 'paper 1', 0, 0, 0, 0, 0, 0])
  })

  it('require an entry in the first third of the fair', async () => {
    const fairId = await market.openFair()
    const [early, late] = [
      await market.addEntrant(fairId, { enteredAt: new Date(at(5).getTime() - 1) }),
      await market.addEntrant(fairId, { enteredAt: at(5) }),
    ]
    expect(await award(fairId, [late, early, ...(await addPlayers(fairId, 3))])).toEqual([0, 1, 2, 3, 0])
  })

  it('count only the oldest of accounts that share a browser in this fair', async () => {
    const fairId = await market.openFair()
    const stranger = await market.addUser()
    const players = await addPlayers(fairId, 5)
    const [oldest, younger] = players as [UserId, UserId]
    for (const userId of [stranger, oldest]) await signIn(userId, 'one browser')
    expect(await award(fairId, players)).toEqual([1, 2, 3, 0, 0])
    await signIn(younger, 'one browser')
    expect(await award(fairId, [...players].reverse())).toEqual([1, 2, 3, 0, 0])
    expect(await award(fairId, players)).toEqual([1, 0, 2, 3, 0])
    // Four accounts of three people get no medals.
    expect(await award(fairId, players.slice(0, 4))).toEqual([0, 0, 0, 0])
  })
})

describe('the league points of an arena', () => {
  const seat = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ place: n + 1, userId: (n + 1) as UserId, isRanked: true, isBot: n > 0 }))

  it('are 10 for the first, 0 for the last, and in between in proportion to the rivals beaten', () => {
    expect([...toLeaguePoints(seat(5)).values()]).toEqual([10, 8, 5, 3, 0])
    expect([...toLeaguePoints(seat(9)).values()]).toEqual([10, 9, 8, 7, 5, 4, 3, 2, 0])
    expect(toLeaguePoints(seat(3)).size).toBe(0)
    const tied = seat(5).map((it, n) => ({ ...it, place: n === 2 ? 2 : n + 1 }))
    expect([...toLeaguePoints(tied).values()]).toEqual([10, 8, 8, 3, 0])
  })
})
