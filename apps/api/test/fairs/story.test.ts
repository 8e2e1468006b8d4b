import { Decimal } from '@papermoon/amm'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openRoom, playFair } from '../support/fairs.ts'
import { shareTestServer, type Visitor } from '../support/test-server.ts'

const server = await shareTestServer({ hasJobs: true })
const host = await server.player('teller')
const guest = await server.player('listener')

const launch = async (player: Visitor, fairId: number, symbol: string, initialBuyAmount: string) =>
  (await player.post('/api/tokens/launch', { name: symbol, symbol, emoji: '⭐', fairId, initialBuyAmount })).json().id

describe('the story of a fair', () => {
  it('tells the best and the worst token and the place over time, once the fair has ended', async () => {
    const fair = await openRoom(host, [guest])
    const [good, bad] = [await launch(host, fair.id, 'GOOD', '20'), await launch(guest, fair.id, 'BAD', '10')]
    await host.post('/api/tokens/buy', { tokenId: bad, solAmount: '20' })
    await guest.post('/api/tokens/buy', { tokenId: good, solAmount: '40' })
    const early = await guest.get(`/api/fairs/${fair.id}/story`)
    expect([early.statusCode, early.body]).toEqual([409, 'You can read the story of this fair when it has ended.'])
    await playFair(host, fair.id)
    const [mine, theirs] = [
      (await host.get(`/api/fairs/${fair.id}/story`)).json(),
      (await guest.get(`/api/fairs/${fair.id}/story`)).json(),
    ]
    expect([mine.best.token.symbol, mine.worst.token.symbol, mine.trades]).toEqual(['GOOD', 'BAD', 2])
    expect([theirs.best.token.symbol, theirs.worst.token.symbol]).toEqual(['BAD', 'GOOD'])
    // What one won with a token the other lost, fees aside.
    const fees = new Decimal('0.18')
    const sum = new Decimal(mine.best.profit).add(theirs.worst.profit).add(fees)
    expect(sum.abs().lt('0.00000001')).toBe(true)
    const { entrants } = (await host.get(`/api/fairs/${fair.id}/ranking`)).json()
    for (const [player, story] of [[host, mine] as const, [guest, theirs] as const]) {
      const { place } = entrants.find(
        (it: { username: string }) => it.username === (player === host ? 'teller' : 'listener'),
      )
      expect(story.ranks.at(-1).place).toBe(place)
      expect(story.ranks.length).toBeLessThanOrEqual(60)
      expect(story.ranks.length).toBeGreaterThan(0)
    }
    const replay = (await guest.query('fairs.replay', { id: fair.id })).json().result.data.json
    expect(replay.times).toHaveLength(60)
    expect(
      replay.tokens.map(({ symbol, prices }: { symbol: string; prices: unknown[] }) => [symbol, prices.length]),
    ).toEqual([
      ['GOOD', 60],
      ['BAD', 60],
    ])
    const { currentPrice } = (await host.get(`/api/tokens/${good}`)).json()
    expect(replay.tokens[0].prices.at(-1)).toBe(currentPrice)
    // Nothing counts out here, so the last moment is the result.
    expect(
      replay.entrants.map((one: { username: string; moments: unknown[] }) => [one.username, one.moments.at(-1)]),
    ).toEqual(
      entrants.map((one: { username: string; place: number; score: string }) => [
        one.username,
        { place: one.place, score: one.score },
      ]),
    )
  })

  it('is drawn as a card of an arena’s result, not of a room’s', async () => {
    const { db } = server.app.platform
    const { rows } = await sql<{ id: number; user_id: number }>`
      select f.id, r.user_id from fairs f join fair_results r on r.fair_id = f.id order by f.id, r.place limit 1`.execute(
      db,
    )
    const { id, user_id } = rows[0] as (typeof rows)[number]
    const card = `/og/fair/${id}/${user_id}.png`
    for (const visitor of [host, server.visitor()]) expect((await visitor.get(card)).statusCode).toBe(404)
    await sql`update fairs set kind = 'arena', host_id = null where id = ${id}`.execute(db)
    const drawn = await server.visitor().get(card)
    expect([drawn.statusCode, drawn.headers['content-type']]).toEqual([200, 'image/png'])
    expect((await server.visitor().get(`/og/fair/${id}/999999.png`)).statusCode).toBe(404)
    await sql`update fairs set state = 'void' where id = ${id}`.execute(db)
    expect((await server.visitor().get(card)).statusCode).toBe(404)
    await sql`update fairs set state = 'settled', kind = 'room' where id = ${id}`.execute(db)
  })

  it('is for who was in it', async () => {
    const stranger = await server.player()
    const { rows } = await sql<{ id: number }>`select max(id) as id from fairs`.execute(server.app.platform.db)
    expect((await stranger.get(`/api/fairs/${rows[0]?.id}/story`)).statusCode).toBe(404)
    expect((await host.get('/api/fairs/999/story')).statusCode).toBe(404)
  })
})
