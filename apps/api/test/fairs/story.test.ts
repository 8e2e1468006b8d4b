import { Decimal } from '@papermoon/amm'
import type { FairEntrant, FairReplay } from '@papermoon/contract/fairs'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { readFairMoments } from '../../src/events/journal.ts'
import { getFairsDb } from '../../src/features/fairs/ranking.ts'
import { getRecord } from '../../src/features/fairs/record.ts'
import { openRoom, playFair } from '../support/fairs.ts'
import { shareTestServer, type Visitor } from '../support/test-server.ts'

const server = await shareTestServer()
const host = await server.player('teller')
const guest = await server.player('listener')

const launch = async (player: Visitor, fairId: number, symbol: string, initialBuyAmount: string) =>
  (await player.post('/api/tokens/launch', { name: symbol, symbol, emoji: '⭐', fairId, initialBuyAmount })).json().id

describe('the story of a fair', () => {
  it('shows the best and the worst token and the rank over time, once the fair has ended', async () => {
    const idle = await server.player('idle')
    const fair = await openRoom(host, [guest, idle])
    const [good, bad] = [await launch(host, fair.id, 'GOOD', '20'), await launch(guest, fair.id, 'BAD', '10')]
    await host.post('/api/tokens/buy', { tokenId: bad, solAmount: '20' })
    await guest.post('/api/tokens/buy', { tokenId: good, solAmount: '40' })
    const early = await guest.get(`/api/fairs/${fair.id}/story`)
    expect([early.statusCode, early.body]).toEqual([409, 'You can read the story of this fair when it has ended.'])
    await playFair(server, host, fair.id)
    const [mine, theirs] = [
      (await host.get(`/api/fairs/${fair.id}/story`)).json(),
      (await guest.get(`/api/fairs/${fair.id}/story`)).json(),
    ]
    expect([mine.best.token.symbol, mine.worst.token.symbol, mine.trades]).toEqual(['GOOD', 'BAD', 2])
    expect([theirs.best.token.symbol, theirs.worst.token.symbol]).toEqual(['BAD', 'GOOD'])
    // A rank begins with a trade. Without one, equal scores would make everyone the first.
    expect(mine.ranks.length).toBeGreaterThan(0)
    expect((await idle.get(`/api/fairs/${fair.id}/story`)).json().ranks).toEqual([])
    // One player's profit in a token equals the other's loss, apart from fees.
    const fees = new Decimal('0.18')
    const sum = new Decimal(mine.best.profit).add(theirs.worst.profit).add(fees)
    expect(sum.abs().lt('0.00000001')).toBe(true)
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
  })

  it('is drawn as a card of an arena’s result, but not of a room’s', async () => {
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

  it('can be read by the players of the fair only', async () => {
    const stranger = await server.player()
    const { rows } = await sql<{ id: number }>`select max(id) as id from fairs`.execute(server.app.platform.db)
    expect((await stranger.get(`/api/fairs/${rows[0]?.id}/story`)).statusCode).toBe(404)
    expect((await host.get('/api/fairs/999/story')).statusCode).toBe(404)
  })

  it('shows the ranks of the ranking, and no rank for a good score of an unranked player', async () => {
    const { db } = server.app.platform
    const others = await Promise.all(['one', 'two', 'three', 'lucky'].map((name) => server.player(name)))
    const lucky = others.at(-1) as Visitor
    const { id } = await openRoom(host, others, { stake: '10' })
    await sql`update fairs set kind = 'arena', everyone_ranks = false where id = ${id}`.execute(db)
    const tokenId = await launch(host, id, 'BEST', '6')
    for (const player of [lucky, ...others.slice(0, 3)])
      await player.post('/api/tokens/buy', { tokenId, solAmount: player === lucky ? '2' : '9' })
    for (const player of [lucky, ...others.slice(0, 3), host]) {
      const [{ amount }] = (await player.get(`/api/fairs/${id}/bag`)).json().holdings
      await player.post('/api/tokens/sell', { tokenId, tokenAmount: amount })
    }
    await playFair(server, host, id)

    const { entrants }: { entrants: FairEntrant[] } = (await host.get(`/api/fairs/${id}/ranking`)).json()
    const ranked = entrants.filter(({ isRanked }) => isRanked)
    expect([ranked.length, entrants.at(-1)?.username]).toEqual([4, 'lucky'])
    expect(Number(entrants.at(-1)?.score)).toBeGreaterThan(Number(ranked.at(-1)?.score))
    const file = (await host.get(`/api/exports/fairs/${id}/ranking.ndjson`)).body.trimEnd().split('\n')
    expect(file.map((line) => JSON.parse(line))).toEqual(entrants)
    const podium = ranked.slice(0, 3).map(({ place, userId, username, isBot, score }) => {
      return { place, userId, username, isBot, score }
    })
    const readPodium = async () =>
      (await readFairMoments(getFairsDb(server.app) as never, { after: 0, fairs: [id] })).at(-1)?.event.podium
    expect(await readPodium()).toEqual(podium)
    expect(ranked.map(({ medal }) => medal)).toEqual([1, 2, 3, null])
    const { rows } = await sql<{ rating: number }>`
      select rating_after as rating from fair_results where fair_id = ${id} and is_ranked order by place`.execute(db)
    expect(rows.map(({ rating }) => rating)).toEqual(rows.map(({ rating }) => rating).sort((a, b) => b - a))
    for (const { userId, place, isRanked } of entrants) {
      const { latest } = await getRecord(server.app, userId)
      expect(latest.map((result) => result.place)).toEqual(isRanked ? [place] : [])
    }
    const replay: FairReplay = (await host.query('fairs.replay', { id })).json().result.data.json
    for (let at = 0; at < replay.times.length; at++) {
      const rows = replay.entrants.map((entrant) => ({ ...entrant, ...entrant.moments[at], moments: [] }))
      const order = (isShown: boolean) => rows.filter(({ isRanked }) => isRanked === isShown)
      rows.sort((a, b) => (a.place ?? 0) - (b.place ?? 0))
      expect(rows).toEqual([...order(true), ...order(false)])
      expect(order(true)).toEqual(order(true).sort((a, b) => Number(b.score) - Number(a.score)))
    }
    const last = replay.entrants.map(({ moments }) => moments.at(-1))
    expect(last).toEqual(entrants.map(({ place, score }) => ({ place, score })))
    expect((await lucky.get(`/api/fairs/${id}/story`)).json().ranks.at(-1).place).toBe(5)
    await sql`update fair_results set is_ranked = false where fair_id = ${id} and place > 2`.execute(db)
    expect(await readPodium()).toEqual(podium.slice(0, 2))
  })

  it.each([
    ['all that a house bot lost', false],
    ['a tenth of the stake, in a fair with the earlier rule', true],
  ])('ends with the scores of the results, which count %s', async (_, limitsBots) => {
    const { db } = server.app.platform
    const [bot, friend] = await Promise.all([server.player(), server.player()])
    const { id } = await openRoom(host, [bot, friend], { rugs: true })
    await sql`update fairs set kind = 'arena', everyone_ranks = false, limits_bots = ${limitsBots} where id = ${id}`.execute(
      db,
    )
    for (const [symbol, loser, solAmount] of [
      ['ONE', bot, '40'],
      ['TWO', friend, '30'],
    ] as const) {
      const tokenId = await launch(host, id, symbol, '1')
      await loser.post('/api/tokens/buy', { tokenId, solAmount })
      await host.post(`/api/tokens/${tokenId}/rug`, {})
    }
    await sql`update users set kind = 'house' where id = ${await bot.id()}`.execute(db)
    await playFair(server, host, id)
    const { entrants }: { entrants: FairEntrant[] } = (await host.get(`/api/fairs/${id}/ranking`)).json()
    const hostId = await host.id()
    const { standing, score } = entrants.find(({ userId }) => userId === hostId) as FairEntrant
    // Without fees of 0.3 %, the bot lost 39.88 SOL and the friend 29.91 SOL.
    expect(new Decimal(standing).sub(score).toFixed()).toBe(limitsBots ? '49.79' : '19.91')
    const { limitedBy } = (await host.get(`/api/fairs/${id}/story`)).json()
    expect(limitedBy).toMatchObject({ id: await (limitsBots ? bot : friend).id() })
    const replay: FairReplay = (await host.query('fairs.replay', { id })).json().result.data.json
    const last = replay.entrants.map(({ moments }) => moments.at(-1))
    expect(last).toEqual(entrants.map(({ place, score }) => ({ place, score })))
  })
})
