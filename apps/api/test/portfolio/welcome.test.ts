import type { Welcome } from '@papermoon/contract/portfolio'
import { expect, it } from 'vitest'
import { toWeek } from '../../src/features/fairs/league/compute-league.ts'
import { notifyOwners } from '../../src/features/notices/follow/follow-market.ts'
import { readData } from '../support/moderators.ts'
import { shareTestServer, type Visitor } from '../support/test-server.ts'

const HOUR_MS = 3_600_000
const NOTHING = { gain: null, bags: [], buyers: null, orders: null, passedBy: null, seal: null }

const server = await shareTestServer()
const player = await server.player('returner')
const rival = await server.player('rival')
const now = () => server.app.platform.clock.now()
const read = (since: Date, visitor: Visitor): Promise<Welcome> =>
  readData(visitor, 'portfolio.welcome', { since: since.toISOString() })
/** Returns everything but the league, which changes with the day's quests. */
async function welcome(since: Date, visitor: Visitor = player): Promise<Omit<Welcome, 'league'>> {
  const { league: _, ...others } = await read(since, visitor)
  return others
}

it('lists changes of holdings, buyers of own tokens and ending seals since then only', async () => {
  const own = await player.launch({ name: 'Own Tent', symbol: 'OWN' })
  const held = await rival.launch({ name: 'Held Tent', symbol: 'HELD', seal: { term: 'hour', bag: false } })
  await player.buy(held, '1')
  await player.buy(own, '1')
  server.passTime(120_000)
  const since = now()
  expect(await welcome(since)).toMatchObject({ ...NOTHING, seal: { token: { symbol: 'HELD' } } })
  await rival.buy(own, '2')
  await rival.buy(held, '5')
  const { gain, bags, buyers, orders, passedBy, seal } = await welcome(since)
  expect(Number(gain)).toBeGreaterThan(0)
  expect(bags.map(({ token, percent }) => [token.symbol, Number(percent) > 0])).toEqual([
    ['HELD', true],
    ['OWN', true],
  ])
  expect(buyers).toMatchObject({ players: 1, tokens: 1, sol: '2', token: { id: own, symbol: 'OWN' } })
  expect([orders, passedBy]).toEqual([null, null])
  expect(seal).toMatchObject({ token: { id: held }, until: expect.any(String) })
  server.passTime(HOUR_MS)
  expect(await welcome(now())).toEqual(NOTHING)
})

it('lists filled orders, and players who took a rank in the Top 3', async () => {
  const since = now()
  const tokenId = await rival.launch({ name: 'Order Tent', symbol: 'ORD' })
  const { position } = await rival.buy(tokenId, '5')
  const { currentPrice } = (await player.get(`/api/tokens/${tokenId}`)).json()
  const order = { tokenId, kind: 'buy', solAmount: '0.1', price: (Number(currentPrice) * 0.9).toFixed(12) }
  const placed = await player.post('/api/waiting-orders', order)
  expect([placed.statusCode, placed.body]).toEqual([201, placed.body])
  await rival.post('/api/tokens/sell', { tokenId, tokenAmount: position.amount })
  const all = { after: 0, through: Number.MAX_SAFE_INTEGER }
  expect(await server.db.transaction().execute((tx) => notifyOwners(tx, all))).toBe(1)
  const cause = await server.db
    .insertInto('notice_causes')
    .values({
      key: 'top3',
      kind: 'top3',
      actor_id: await rival.id(),
      detail: JSON.stringify({ rank: 2 }) as never,
      created_at: new Date(),
      last_at: new Date(),
    } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  await server.db
    .insertInto('notices')
    .values({ user_id: await player.id(), cause_id: cause.id, kind: 'top3', created_at: new Date() } as never)
    .execute()
  expect(await welcome(new Date(Math.min(+since, Date.now() - 60_000)))).toMatchObject({
    orders: { count: 1, token: { symbol: 'ORD' } },
    passedBy: { username: 'rival' },
  })
})

it('shows the player’s rank in the league, and who passed them since then', async () => {
  const [one, two] = [await server.player('leader'), await server.player('chaser')]
  const [leader, chaser] = [await one.id(), await two.id()]
  const since = now()
  const week = toWeek(since)
  for (const user_id of [leader, chaser]) {
    await server.db.insertInto('league_members').values({ week, division: 1, group_number: 9, user_id }).execute()
  }
  const addQuest = (user_id: number, quest: string, at: Date) =>
    server.db
      .insertInto('quests_done')
      .values({ day: since.toISOString().slice(0, 10), user_id, quest, at })
      .execute()
  await addQuest(leader, 'early', since)
  const { league } = await read(since, one)
  expect(league).toEqual({ place: 1, division: 1, passedBy: null })
  server.passTime(2_000)
  for (const quest of ['early', 'three']) await addQuest(chaser, quest, new Date(+since + 1_000))
  const later = await read(since, one)
  expect(later.league).toEqual({ place: 2, division: 1, passedBy: { id: chaser, username: 'chaser' } })
  expect((await read(since, two)).league).toEqual({ place: 1, division: 1, passedBy: null })
})

it('shows nothing about other players, and nothing to guests', async () => {
  const stranger = await server.player()
  expect(await welcome(new Date(0), stranger)).toEqual(NOTHING)
  expect((await server.visitor().query('portfolio.welcome', { since: new Date(0).toISOString() })).statusCode).toBe(401)
})
