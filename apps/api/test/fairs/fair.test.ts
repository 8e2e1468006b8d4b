import { Decimal } from '@papermoon/amm'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { readRanking } from '../../src/features/fairs/ranking.ts'
import { watchFair } from '../../src/features/fairs/watch.ts'
import { becomes, changeFair, openRoom, playFair } from '../support/fairs.ts'
import { shareTestServer, type Visitor } from '../support/test-server.ts'
import { waitForLocked } from '../support/wait.ts'

let host: Visitor
const server = await shareTestServer()
const guest = await server.player('guest')
const stranger = await server.player('stranger')
// Each test gets a new host, because a player can host at most three rooms.
beforeEach(async () => {
  host = await server.player()
})

const NAMES = { name: 'Paper Star', symbol: 'STAR', emoji: '⭐' }

const launchIn = async (player: Visitor, fairId: number, more: object = {}) =>
  await player.post('/api/tokens/launch', { ...NAMES, fairId, ...more })
const buy = (player: Visitor, tokenId: number, solAmount: string) =>
  player.post('/api/tokens/buy', { tokenId, solAmount })
const getRanking = async (id: number) => (await host.get(`/api/fairs/${id}/ranking`)).json()

describe('a room', () => {
  it('without a start time waits exactly a day for its host, which distinguishes it from one with a start time', async () => {
    const { fair } = (await host.post('/api/fairs', { kind: 'room', name: 'Friday evening', minutes: 30 })).json()
    const [lobby, start, end] = [fair.lobbyAt, fair.startsAt, fair.endsAt].map((moment) => Date.parse(moment))
    expect([Number(start) - Number(lobby), Number(end) - Number(start)]).toEqual([24 * 3_600_000, 30 * 60_000])
    const startsAt = new Date(Date.now() + 3_600_000).toISOString()
    const made = await host.post('/api/fairs', { kind: 'room', name: 'Class', minutes: 15, startsAt })
    const endsAt = new Date(Date.parse(startsAt) + 15 * 60_000).toISOString()
    expect(made.json().fair).toMatchObject({ startsAt, endsAt })
  })

  it.each([
    ['all', 4, 2],
    ['nobody', 4, 3],
    ['host', 4, 0],
    ['all', 0, 0],
  ])('in which %s can launch, with %i bots, begins with %i tokens', async (launches, bots, tokens) => {
    const { fair } = (await host.post('/api/fairs', { kind: 'room', name: 'With bots', launches, bots })).json()
    const { rows } = await sql`select house_tokens from fairs where id = ${fair.id}`.execute(server.db)
    expect(rows).toEqual([{ house_tokens: tokens }])
  })

  it('has its own money, tokens and ranking, which add up', async () => {
    const { id } = await openRoom(host, [guest])
    const launch = await launchIn(host, id, { initialBuyAmount: '5' })
    expect(launch.statusCode).toBe(201)
    const tokenId = launch.json().id
    expect(tokenId).toBeGreaterThanOrEqual(1_000_000_000)
    const bought = await buy(guest, tokenId, '10')
    expect(bought.json().position.balance).toBe('90')
    const me = (await guest.get('/api/auth/user')).json()
    expect(me.solBalance ?? me.balance).toBe('100')
    await vi.waitFor(async () => {
      expect(await getRanking(id)).toMatchObject({
        total: 2,
        sum: { stakes: '200', fees: '0.065' },
        mine: { trades: 1 },
      })
    })
    const bag = (await guest.get(`/api/fairs/${id}/bag`)).json()
    expect(bag.holdings[0].token.id).toBe(tokenId)
    expect(Number(bag.standing)).toBeGreaterThan(Number(bag.balance))
  })

  it('returns the result of an order by its key', async () => {
    const { id } = await openRoom(host, [guest])
    const tokenId = (await launchIn(host, id)).json().id
    const order = { tokenId, solAmount: '10', requestId: 'in-a-fair' }
    const answer = (await guest.post('/api/tokens/buy', order)).json()
    expect((await guest.get('/api/orders/in-a-fair')).json()).toMatchObject({ status: 'filled', kind: 'buy', answer })
    expect((await host.get('/api/orders/in-a-fair')).statusCode).toBe(404)
    const repeat = await guest.post('/api/tokens/buy', order)
    expect([repeat.headers['idempotent-replayed'], repeat.json()]).toEqual(['true', answer])
  })

  it('has waiting orders in its own money, which are cancelled when it ends or their player leaves', async () => {
    const { id } = await openRoom(host, [guest])
    const tokenId = (await launchIn(host, id, { initialBuyAmount: '30' })).json().id
    const { currentPrice } = (await host.get(`/api/tokens/${tokenId}`)).json()
    const place = (player: Visitor, factor: number) => {
      const price = (Number(currentPrice) * factor).toFixed(18)
      return player.post('/api/waiting-orders', { tokenId, kind: 'buy', solAmount: '10', price })
    }
    const list = async (player: Visitor, state: string) =>
      (await player.get(`/api/waiting-orders?tokenId=${tokenId}&state=${state}`)).json()
    expect((await place(stranger, 0.9)).statusCode).toBe(404)
    const placed = (await place(guest, 0.9)).json().order
    expect(placed.id).toBeGreaterThanOrEqual(1_000_000_000)
    await host.post('/api/tokens/sell', { tokenId, tokenAmount: '200000000' })
    expect(await list(guest, 'ended')).toMatchObject([{ id: placed.id, state: 'filled' }])
    expect((await guest.get(`/api/tokens/${tokenId}/position`)).json().balance).toBe('90')
    expect((await guest.get('/api/auth/user')).json().solBalance).toBe('100')

    await server.tickUntil('notices', async () => {
      const { news } = (await guest.get('/api/notices')).json()
      const notice = news.find(({ kind }: { kind: string }) => kind === 'order')
      expect(notice).toMatchObject({ order: { kind: 'buy', state: 'filled' }, token: { id: tokenId } })
    })

    await place(guest, 0.2)
    await guest.post(`/api/fairs/${id}/leave`, {})
    const rows = await server.database.db
      .withSchema('fairs')
      .selectFrom('waiting_orders')
      .select(['state', 'cause'])
      .where('token_id', '=', tokenId)
      .orderBy('id')
      .execute()
    expect(rows[1]).toEqual({ state: 'cancelled', cause: 'LEFT_FAIR' })
    await place(host, 0.2)
    expect((await changeFair(host, id, { act: 'end' })).statusCode).toBe(200)
    expect(await list(host, 'ended')).toMatchObject([{ state: 'cancelled', cause: 'FAIR_ENDED' }])
  })

  it('stores only a hash of its invitation code', async () => {
    const { id, invite } = await openRoom(host)
    const { rows } = await sql<{ hash: Buffer }>`select invite_hash as hash from fairs where id = ${id}`.execute(
      server.db,
    )
    expect(rows[0]?.hash.includes(invite)).toBe(false)
  })

  it('enters its host; a host who left before the start gets an error that says to enter', async () => {
    const { fair } = (await host.post('/api/fairs', { kind: 'room', name: 'Not mine', minutes: 30 })).json()
    expect([fair.entrants, fair.me]).toEqual([1, { balance: '100', hasLeft: false, isHost: true }])
    await host.post(`/api/fairs/${fair.id}/leave`, {})
    await changeFair(host, fair.id, { act: 'start' })
    const refused = await launchIn(host, fair.id)
    expect([refused.statusCode, refused.body]).toEqual([
      403,
      'Enter this fair first. Players trade its tokens with the fair’s own SOL.',
    ])
  })

  it('is closed at once to players who leave or are removed', async () => {
    const { id, invite } = await openRoom(host, [guest])
    const tokenId = (await launchIn(host, id)).json().id
    const { id: guestId } = (await guest.get('/api/auth/user')).json()
    expect((await guest.get(`/api/tokens/${tokenId}`)).statusCode).toBe(200)
    expect((await host.raw('DELETE', `/api/fairs/${id}/entrants/${guestId}`, '')).statusCode).toBe(200)
    expect((await guest.get(`/api/tokens/${tokenId}`)).statusCode).toBe(404)
    expect((await buy(guest, tokenId, '1')).statusCode).toBe(404)
    expect((await guest.post(`/api/fairs/${id}/enter`, {})).statusCode).toBe(404)
    // The old link does not work either.
    expect((await guest.get(`/api/fairs/${id}?invite=${invite}`)).statusCode).toBe(404)
    expect((await guest.post(`/api/fairs/${id}/enter`, { invite })).statusCode).toBe(404)
  })

  it('gives its last place to one of two players who enter at the same time', async () => {
    const { id, invite } = await openRoom(host)
    await sql`update fairs set entrants_max = 2 where id = ${id}`.execute(server.db)
    const players = [await server.player(), await server.player()]
    let answers: Promise<{ readonly statusCode: number; readonly body: string }[]> = Promise.resolve([])
    await server.db.transaction().execute(async (tx) => {
      await sql`select from fairs where id = ${id} for no key update`.execute(tx)
      answers = Promise.all(players.map((player) => player.post(`/api/fairs/${id}/enter`, { invite })))
      // Both calls now wait for the lock, and both have read that a place is free.
      await waitForLocked(server.db, 2)
    })
    expect((await answers).map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
    const refused = (await answers).find(({ statusCode }) => statusCode === 409)
    expect(refused?.body).toBe('This fair is full. At most 2 players can enter.')
  })

  it('stops trading at its end, and has results', async () => {
    const { id } = await openRoom(host, [guest])
    const tokenId = (await launchIn(host, id)).json().id
    expect((await buy(guest, tokenId, '10')).statusCode).toBe(200)
    expect((await changeFair(host, id, { act: 'end' })).statusCode).toBe(200)
    const late = await buy(guest, tokenId, '1')
    expect([late.statusCode, late.body]).toEqual([409, 'This fair has ended, so its tokens can no longer be traded.'])
    expect((await launchIn(guest, id)).statusCode).toBe(409)
    await becomes(server, host, id, { state: 'settled' })
    const { entrants, isFinal } = await getRanking(id)
    expect(isFinal).toBe(true)
    expect(entrants.map((entrant: { place: number }) => entrant.place)).toEqual([1, 2])
    const fair = (await host.get(`/api/fairs/${id}`)).json()
    expect([fair.state, fair.secret.length]).toEqual(['settled', 64])
    // Both times are the moment at which the host ended the fair.
    expect([fair.endsAt, fair.bellFrom]).toEqual([fair.bellAt, fair.bellAt])
    expect(Date.parse(fair.bellAt)).toBeLessThan(Date.parse(fair.startsAt) + 29 * 60_000)
  })

  it('reports its end together with the results, never with an earlier ranking', async () => {
    const { id } = await openRoom(host, [guest])
    const tokenId = (await launchIn(host, id)).json().id
    const { id: userId } = (await host.get('/api/auth/user')).json()
    const told = []
    let isEnding = false
    for await (const [, now] of watchFair(server.app, { userId, fairId: id }, undefined)) {
      told.push([now.fair.state, now.ranking.isFinal])
      if (isEnding) continue
      isEnding = true
      // This trade comes in the last second before the end, so the cached ranking lacks it.
      await buy(guest, tokenId, '10')
      await host.get(`/api/fairs/${id}/ranking`)
      await changeFair(host, id, { act: 'end' })
      await becomes(server, host, id, { state: 'settled' })
    }
    expect(told.filter(([state, isFinal]) => (state === 'settled') !== isFinal)).toEqual([])
    expect(told.at(-1)).toEqual(['settled', true])
  })

  it('rejects rug pulls, a fourth launch and orders in others’ tokens, each with a sentence', async () => {
    const { id } = await openRoom(host, [guest])
    const tokenId = (await launchIn(host, id)).json().id
    const rug = await host.post(`/api/tokens/${tokenId}/rug`, {})
    expect([rug.statusCode, rug.body]).toEqual([409, 'Rug pulls are off in this fair.'])
    await launchIn(host, id)
    await launchIn(host, id)
    expect((await launchIn(host, id)).statusCode).toBe(409)
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from tokens`.execute(server.db)
    expect(rows[0]?.n).toBe(0)
  })
})

describe('a ranking', () => {
  it('is the final result once there is one, even if another ranking was cached before the bell', async () => {
    const { id } = await openRoom(host, [guest])
    const nowMs = performance.now()
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
    expect((await getRanking(id)).isFinal).toBe(false)
    await playFair(server, host, id)
    expect((await getRanking(id)).isFinal).toBe(true)
    clock.mockRestore()
  })

  it('is cached for a second, but three times as long as it took if that was slow', async () => {
    const { id } = await openRoom(host)
    await readRanking(server.app, { id, state: 'open' })
    // After a minute, no earlier ranking is cached, however long it took to compute.
    let nowMs = performance.now() + 60_000
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
    try {
      const readAfter = (ms: number) => {
        nowMs += ms
        return readRanking(server.app, { id, state: 'open' })
      }
      const quick = readAfter(0)
      await quick
      expect(readAfter(899)).toBe(quick)
      const slow = await server.db.transaction().execute(async (tx) => {
        await sql`lock table fairs.accounts in access exclusive mode`.execute(tx)
        const reading = readAfter(1)
        expect(reading).not.toBe(quick)
        nowMs += 2_000
        return { reading }
      })
      await slow.reading
      expect(readAfter(5_999)).toBe(slow.reading)
      expect(readAfter(1)).not.toBe(slow.reading)
    } finally {
      clock.mockRestore()
    }
  })
})

describe('launches sent at once', () => {
  it('never exceed the number that a player can launch in a fair', async () => {
    const { id } = await openRoom(host, [guest])
    const answers = await Promise.all(Array.from({ length: 6 }, () => launchIn(host, id)))
    const refused = answers.filter(({ statusCode }) => statusCode !== 201)
    expect(refused.map(({ statusCode, body }) => [statusCode, body])).toEqual(
      Array.from({ length: 3 }, () => [409, 'You have launched 3 tokens in this fair, which is the maximum.']),
    )
    expect((await launchIn(host, id, { dryRun: true })).statusCode).toBe(409)
    expect((await launchIn(guest, id)).statusCode).toBe(201)
  })
})

describe('the bell', () => {
  it('stops a trade that the engine already has, by the database’s clock', async () => {
    const { id } = await openRoom(host, [guest])
    const tokenId = (await launchIn(host, id)).json().id
    expect((await buy(guest, tokenId, '1')).statusCode).toBe(200)
    const { fairs } = server.app.market
    const { rows } = await sql<{ user_id: number; id: number }>`
      select a.account_id as id, a.user_id from fairs.accounts a join users u on u.id = a.user_id
       where a.fair_id = ${id} and u.username = 'guest'`.execute(server.db)
    const account = rows[0] as { user_id: never; id: number }
    await sql`update fairs.pools set closes_at = clock_timestamp() where token_id = ${tokenId}`.execute(server.db)
    // Submit the order to the engine directly, because the checks before it would reject it. The engine still caches
    // the pool as open.
    const order = { kind: 'buy', userId: account.user_id, accountId: account.id, tokenId, sol: new Decimal(1) } as const
    await expect(fairs?.market.engine.submit(order)).rejects.toMatchObject({ code: 'FAIR_ENDED' })
  })
})
