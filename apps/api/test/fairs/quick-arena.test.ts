import { CHARACTERS } from '@papermoon/bots'
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { createHouseBots } from '../../src/house/create-house-bots.ts'
import { becomes } from '../support/fairs.ts'
import { shareTestServer, type Visitor } from '../support/test-server.ts'

const server = await shareTestServer()
await createHouseBots(server.db, CHARACTERS, { at: new Date() })
afterEach(() =>
  sql`update fairs set bell_at = now(), starts_at = least(starts_at, now()) where is_quick`.execute(server.db),
)

const NAMES = { name: 'Paper Star', symbol: 'STAR', emoji: '⭐' }
const begin = (player: Visitor) => player.post('/api/fairs/quick', {})
const enter = (player: Visitor, id: number) => player.post(`/api/fairs/${id}/enter`, {})
const read = async (player: Visitor, id: number) => (await player.get(`/api/fairs/${id}`)).json()
const listIds = async (player: Visitor) => {
  const { running, upcoming } = (await player.get('/api/fairs')).json()
  return [...running, ...upcoming].map(({ id }: { id: number }) => id)
}

/** Starts a quick arena, and returns its id once it is open. */
async function play(player: Visitor): Promise<number> {
  const answer = await begin(player)
  expect([answer.statusCode, answer.body]).toEqual([200, answer.body])
  const { id } = answer.json()
  await becomes(server, player, id, { state: 'open' })
  return id
}

const passMinute = (id: number) =>
  sql`update fairs set starts_at = starts_at - interval '1 minute' where id = ${id}`.execute(server.db)

describe('a quick arena', () => {
  it('starts at once: five minutes against seven bots, with tokens to trade, and without a host', async () => {
    const player = await server.player()
    const id = await play(player)
    const fair = await read(player, id)
    expect(fair).toMatchObject({ kind: 'arena', isQuick: true, host: null, entrants: 8, bots: 7, everyoneRanks: false })
    expect(fair.me).toEqual({ balance: '100', hasLeft: false, isHost: false })
    expect(Date.parse(fair.endsAt) - Date.parse(fair.startsAt)).toBe(300_000)
    expect((await player.get(`/api/fairs/${id}/tokens`)).json()).toHaveLength(4)
    const end = await player.raw('PUT', `/api/fairs/${id}`, '{"act":"end"}', { 'content-type': 'application/json' })
    expect([end.statusCode, end.body]).toEqual([403, 'Only the host of this fair can do this.'])
  })

  it('is limited to one at a time per player, also for repeated calls', async () => {
    const [player, other] = [await server.player(), await server.player()]
    const ids = (await Promise.all([begin(player), begin(player)])).map((answer) => answer.json().id)
    expect(new Set(ids).size).toBe(1)
    const [id] = ids
    const second = await play(other)
    const refused = await enter(player, second)
    expect([refused.statusCode, refused.body]).toEqual([
      409,
      'You are in another quick arena. Please finish that one first.',
    ])
    await player.post(`/api/fairs/${id}/leave`, {})
    expect((await begin(player)).body).toBe('You left your quick arena. You can begin another one when it has ended.')
  })

  it('lets others enter in its first minute, and is listed for them until then', async () => {
    const [player, friend, late] = [await server.player(), await server.player(), await server.player()]
    const id = await play(player)
    expect((await enter(friend, id)).statusCode).toBe(200)
    expect((await begin(friend)).json().id).toBe(id)
    expect(await listIds(late)).toContain(id)
    await passMinute(id)
    const refused = await enter(late, id)
    expect([refused.statusCode, refused.body]).toEqual([
      409,
      'Others can enter a quick arena only in its first minute.',
    ])
    expect(await listIds(late)).not.toContain(id)
    expect(await listIds(player)).toContain(id)
  })

  it('appears only in its players’ results, and then another one can start', async () => {
    const [player, stranger] = [await server.player(), await server.player()]
    const id = await play(player)
    await sql`update fairs set bell_at = now() where id = ${id}`.execute(server.db)
    await becomes(server, player, id, { state: 'settled' })
    const endedOf = async (who: Visitor) =>
      (await who.get('/api/fairs')).json().ended.map((it: { id: number }) => it.id)
    expect(await endedOf(player)).toContain(id)
    expect(await endedOf(stranger)).not.toContain(id)
    expect((await begin(player)).json().id).not.toBe(id)
  })

  it('shows each player the change of the rating, and the rank among all players of that day', async () => {
    const [best, friend] = [await server.player(), await server.player()]
    const id = await play(best)
    await enter(friend, id)
    const launched = await best.post('/api/tokens/launch', { ...NAMES, fairId: id, initialBuyAmount: '60' })
    const tokenId = launched.json().id
    const bought = (await friend.post('/api/tokens/buy', { tokenId, solAmount: '70' })).json()
    await best.post('/api/tokens/sell', { tokenId, tokenAmount: '100000000' })
    await friend.post('/api/tokens/sell', { tokenId, tokenAmount: bought.position.amount })
    await sql`update fairs set bell_at = now() where id = ${id}`.execute(server.db)
    await becomes(server, best, id, { state: 'settled' })
    const [won, lost] = await Promise.all(
      [best, friend].map(async (player) => (await player.get(`/api/fairs/${id}/story`)).json()),
    )
    expect([won.today, lost.today]).toEqual([
      { place: 1, of: 2 },
      { place: 2, of: 2 },
    ])
    expect(won.rating).toEqual({ before: 1500, after: 1600, isProvisional: true })
    expect([won.leaguePoints, lost.leaguePoints]).toEqual([null, null])
    await sql`update fair_results set league_points = 7 where fair_id = ${id}`.execute(server.db)
    expect((await best.get(`/api/fairs/${id}/story`)).json().leaguePoints).toBe(7)
    expect(lost.rating.after).toBeLessThan(1500)
  })

  it('is rejected if the server already runs 20 quick arenas', async () => {
    const player = await server.player()
    const { rows } = await sql<{ id: number }>`
      select id from users where kind = 'house' order by id limit 20`.execute(server.db)
    const hosts = rows.map(({ id }) => id)
    await sql`
      insert into fairs (kind, is_quick, name, stake, host_id, bots, lobby_at, starts_at, ends_at, bell_at, secret,
        entrants_max, state)
      select 'arena', true, 'Taken', 100, host, 7, now(), now(), now() + interval '5 minutes',
             now() + interval '5 minutes', '', 500, 'open' from unnest(${hosts}::int[]) as host`.execute(server.db)
    const refused = await begin(player)
    expect([refused.statusCode, refused.body]).toEqual([
      422,
      'This server already has 20 quick arenas, which is the maximum. Please try again when one of them has ended.',
    ])
  })

  it('needs house bots', async () => {
    const player = await server.player()
    await sql`update users set standing = 'frozen' where kind = 'house'`.execute(server.db)
    try {
      expect((await begin(player)).body).toBe('A quick arena needs house bots, and this server has none.')
    } finally {
      await sql`update users set standing = 'active' where kind = 'house'`.execute(server.db)
    }
  })
})
